# A chapter is a folder NN_name and one line `headroom_chapter(NN_name)` in CMakeLists.txt. Four small programs come of it:
#
#     NN_name             what the chapter shows                   main.cpp
#     NN_name_exercise    the exercise as it is given: red         exercise.cpp + exercise_test.cpp
#     NN_name_solution    solved: green                            solution.cpp + exercise_test.cpp
#     NN_name_reader      the reader's, built by `headroom tutorial N --check` from a copy
#
# TRACED: the exercise tells the tracer of every access to memory. Another sanitizer has no tracer, and no such chapter.
function(headroom_chapter name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TRACED" "" "LINKS")
  if(arg_TRACED AND NOT TARGET headroom_decode_traced)
    return()
  endif()
  list(TRANSFORM arg_LINKS PREPEND headroom_)
  list(APPEND arg_LINKS headroom_attention headroom_kv_cache fmt::fmt)
  set(reader ${CMAKE_CURRENT_BINARY_DIR}/${name}_reader.cpp)
  if(NOT EXISTS ${reader})
    configure_file(${name}/exercise.cpp ${reader} COPYONLY)
  endif()

  add_library(${name}_test OBJECT ${name}/exercise_test.cpp)
  target_link_libraries(${name}_test PRIVATE ${arg_LINKS})
  headroom_warnings(${name}_test)
  add_executable(${name} ${name}/main.cpp)
  add_executable(${name}_exercise ${name}/exercise.cpp)
  add_executable(${name}_solution ${name}/solution.cpp)
  add_executable(${name}_reader EXCLUDE_FROM_ALL ${reader})
  target_compile_options(${name}_reader PRIVATE -Wfatal-errors) # only the first is shown, and all those of rubbish fill a disk
  foreach(program IN ITEMS ${name} ${name}_exercise ${name}_solution ${name}_reader)
    target_link_libraries(${program} PRIVATE ${arg_LINKS})
    set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
    if(NOT program STREQUAL name)
      target_sources(${program} PRIVATE $<TARGET_OBJECTS:${name}_test>)
    endif()
    if(arg_TRACED AND NOT program STREQUAL name)
      target_compile_options(${program} PRIVATE ${HEADROOM_TRACED_OPTIONS})
    endif()
    if(NOT program STREQUAL "${name}_reader") # a warning must not stop a reader
      headroom_warnings(${program})
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY HEADROOM_CHAPTERS ${name})
endfunction()
