set(HEADROOM_REFERENCE_DIR ${PROJECT_SOURCE_DIR}/reference)

# One library per folder, with the project's warnings; links say what a folder may include (the floor plan of the README).
#
#     headroom_library(attention SOURCES attention.cpp … LINKS contract PRIVATE_LINKS Eigen3::Eigen)
function(headroom_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion $<$<BOOL:${HEADROOM_WERROR}>:-Werror>
    # Sizes of 64 bits meet a memory of 32 in a web page.
    $<$<BOOL:${EMSCRIPTEN}>:-Wno-shorten-64-to-32>
    # g++ 12 reports overlaps and overflows that are not there when strings are added (GCC bug 105651, gone in 13).
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict;-Wno-stringop-overflow>)
endfunction()

function(headroom_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS;PRIVATE_LINKS")
  set(target headroom_${name})
  add_library(${target} STATIC ${arg_SOURCES})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/headroom>)
  list(TRANSFORM arg_LINKS PREPEND headroom_)
  target_link_libraries(${target} PUBLIC ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS})
  headroom_warnings(${target})
  cmake_path(IS_PREFIX HEADROOM_REFERENCE_DIR ${CMAKE_CURRENT_SOURCE_DIR} is_reference)
  if(is_reference) # what other projects may use: cmake/package.cmake
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    target_compile_features(${target} INTERFACE cxx_std_20)
    set_property(GLOBAL APPEND PROPERTY HEADROOM_PACKAGE_TARGETS ${target})
  endif()
endfunction()

# headroom_test(attention mask_test.cpp … LINKS attention): one Catch2 program, one ctest entry per test case.
function(headroom_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINKS;PRIVATE_LINKS")
  set(target test_${name})
  add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
  list(TRANSFORM arg_LINKS PREPEND headroom_)
  target_link_libraries(${target} PRIVATE headroom_test_support ${arg_LINKS} ${arg_PRIVATE_LINKS})
  headroom_warnings(${target})
  # Catch2's header takes longer to read than most tests: the tests of tests/support read it once for all.
  if(target STREQUAL "test_support")
    target_precompile_headers(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests/support/catch.h")
  else()
    target_precompile_headers(${target} REUSE_FROM test_support)
  endif()
  catch_discover_tests(${target} TEST_PREFIX "${name}: " PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED: ")
endfunction()
