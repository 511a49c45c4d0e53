# Where packages come from: the system's where they are found, else a pinned release fetched by CMake.
# FETCHCONTENT_SOURCE_DIR_<NAME> points at a local copy instead.
include(FetchContent)

find_package(Threads REQUIRED)

function(headroom_package name version repository tag)
  if(NOT FETCHCONTENT_SOURCE_DIR_${name})
    find_package(${name} ${version} QUIET)
  endif()
  if(NOT ${name}_FOUND)
    string(TOUPPER ${name} upper)
    message(STATUS "${name}: not found on this system, fetching ${tag}")
    FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON SYSTEM)
    FetchContent_MakeAvailable(${name})
  endif()
endfunction()

headroom_package(Eigen3 3.4 https://gitlab.com/libeigen/eigen.git 3.4.0)
headroom_package(nlohmann_json 3.11 https://github.com/nlohmann/json.git v3.11.3)
headroom_package(fmt 9.1 https://github.com/fmtlib/fmt.git 10.2.1)
headroom_package(CLI11 2.1 https://github.com/CLIUtils/CLI11.git v2.4.2)
if(NOT HEADROOM_TESTS STREQUAL "OFF")
  find_package(Catch2 QUIET)
  if(NOT Catch2_FOUND)
    headroom_package(Catch2 3.0 https://github.com/catchorg/Catch2.git v3.5.4)
  endif()
endif()

# stb: single-file readers of fonts and writers of images.
find_path(HEADROOM_STB stb/stb_truetype.h)
add_library(stb INTERFACE)
if(HEADROOM_STB)
  target_include_directories(stb SYSTEM INTERFACE ${HEADROOM_STB})
else()
  FetchContent_Declare(stb_sources GIT_REPOSITORY https://github.com/nothings/stb.git GIT_TAG ae721c50eaf761660b4f90cc590453cdb0c2acd0)
  FetchContent_MakeAvailable(stb_sources)
  target_include_directories(stb SYSTEM INTERFACE ${stb_sources_SOURCE_DIR})
endif()
