# Kernels: one source, compiled for the host here and by nvcc, where that is found, to PTX and a fat binary.
#
#     headroom_kernels(decode SOURCES 01_naive.cu … HOPPER 10_tma_ring.cu LINKS primitives [TRACED] [INSTALL])
#
# makes the library headroom_decode, and beside the programs kernels/decode_01_naive.ptx and .fatbin: folder and file
# name, which is how the name of each kernel in it begins, and how executors find it. HOPPER steps need sm_90a. HOST_ONLY
# leaves nvcc out. INSTALL is for those that an installed program runs. TRACED adds headroom_decode_traced, the same
# sources with every access told to the tracer.
set(HEADROOM_NVCC "" CACHE FILEPATH "nvcc; empty: where CUDA installs it")
if(NOT HEADROOM_CUDA STREQUAL "OFF")
  if(HEADROOM_NVCC)
    set(headroom_nvcc ${HEADROOM_NVCC})
  else()
    find_program(headroom_nvcc nvcc HINTS ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin)
  endif()
  if(headroom_nvcc)
    message(STATUS "Kernels for GPUs and the PTX interpreter: ${headroom_nvcc}")
  elseif(HEADROOM_CUDA STREQUAL "ON")
    message(FATAL_ERROR "HEADROOM_CUDA=ON, but there is no nvcc. Say -DHEADROOM_NVCC=/path/to/nvcc")
  else()
    message(STATUS "Kernels for GPUs: no nvcc, so they run on the host only")
  endif()
endif()
set(HEADROOM_KERNEL_DIR ${CMAKE_BINARY_DIR}/kernels)

# What makes a source tell the tracer of every access; ThreadSanitizer's library is not linked.
set(HEADROOM_TRACED_OPTIONS -O1 -g -fsanitize=thread
  $<IF:$<CXX_COMPILER_ID:GNU>,-fno-tree-vectorize,-fno-vectorize> $<IF:$<CXX_COMPILER_ID:GNU>,-fno-tree-slp-vectorize,-fno-slp-vectorize>)

# nvcc: source -> kernels/<name>.ptx and .fatbin, with the assembler's report in <name>.log
function(headroom_nvcc_outputs source name hopper outputs)
  set(flags -std=c++20 -I${PROJECT_SOURCE_DIR} --expt-relaxed-constexpr -lineinfo)
  if(hopper)
    set(virtual compute_90a)
    set(real -gencode=arch=compute_90a,code=sm_90a)
  else()
    set(virtual compute_80)
    set(real -gencode=arch=compute_80,code=sm_80 -gencode=arch=compute_90a,code=sm_90a)
  endif()
  set(base ${HEADROOM_KERNEL_DIR}/${name})
  add_custom_command(OUTPUT ${base}.ptx DEPENDS ${source} DEPFILE ${base}.ptx.d
    COMMAND ${headroom_nvcc} ${flags} -ptx -arch=${virtual} -MD -MF ${base}.ptx.d -o ${base}.ptx ${source}
    COMMAND sed -i "s|\"${PROJECT_SOURCE_DIR}/|\"|" ${base}.ptx # it names its sources for lines in reports: without this folder
    COMMENT "PTX of ${name}" VERBATIM)
  add_custom_command(OUTPUT ${base}.fatbin BYPRODUCTS ${base}.log DEPENDS ${source} DEPFILE ${base}.fatbin.d
    COMMAND ${headroom_nvcc} ${flags} -fatbin ${real} -Xptxas -v -MD -MF ${base}.fatbin.d -o ${base}.fatbin ${source} > ${base}.log 2>&1
            || (cat ${base}.log && false)
    COMMENT "Machine code of ${name}")
  set(${outputs} ${base}.ptx ${base}.fatbin PARENT_SCOPE)
endfunction()

function(headroom_kernels name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TRACED;HOST_ONLY;INSTALL" "" "SOURCES;HOPPER;LINKS")
  get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  set(outputs)
  foreach(source IN LISTS arg_SOURCES arg_HOPPER)
    if(source MATCHES "\\.cu$")
      set_source_files_properties(${source} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-ffp-contract=off;-Wno-unknown-pragmas")
      if(headroom_nvcc AND NOT arg_HOST_ONLY)
        get_filename_component(stem ${source} NAME_WE)
        set(hopper OFF)
        if(source IN_LIST arg_HOPPER)
          set(hopper ON)
        endif()
        headroom_nvcc_outputs(${CMAKE_CURRENT_SOURCE_DIR}/${source} ${folder}_${stem} ${hopper} made)
        list(APPEND outputs ${made})
      endif()
    endif()
  endforeach()
  headroom_library(${name} SOURCES ${arg_SOURCES} ${arg_HOPPER} LINKS ${arg_LINKS})
  if(outputs)
    add_custom_target(headroom_${name}_nvcc ALL DEPENDS ${outputs})
    add_dependencies(headroom_${name} headroom_${name}_nvcc) # a program that links the steps reads their PTX too
    if(arg_INSTALL)
      install(FILES ${outputs} DESTINATION share/headroom/kernels)
    endif()
  endif()
  if(arg_TRACED AND NOT CMAKE_CXX_FLAGS MATCHES "fsanitize") # two sanitizers do not go together
    headroom_library(${name}_traced SOURCES ${arg_SOURCES} ${arg_HOPPER} LINKS ${arg_LINKS} tracer)
    target_compile_options(headroom_${name}_traced PRIVATE ${HEADROOM_TRACED_OPTIONS})
  endif()
endfunction()
file(MAKE_DIRECTORY ${HEADROOM_KERNEL_DIR})
