# Where packages come from: the system's where they are found, else a pinned release that CMake fetches.
# -DFETCHCONTENT_SOURCE_DIR_<NAME IN CAPITALS>=folder takes a local copy instead of either.
include(FetchContent)
find_package(Threads REQUIRED)

# headroom_package(NAME least-version repository tag [SOURCE_SUBDIR folder]): a macro, for find_package sets variables.
macro(headroom_package name version repository tag)
  string(TOUPPER ${name} headroom_upper)
  if(NOT FETCHCONTENT_SOURCE_DIR_${headroom_upper})
    find_package(${name} ${version} QUIET)
  endif()
  if(${name}_FOUND)
    message(STATUS "${name} ${${name}_VERSION}: the system's")
  else()
    message(STATUS "${name}: not the system's, but ${tag} of ${repository}")
    FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON SYSTEM ${ARGN})
    FetchContent_MakeAvailable(${name})
  endif()
endmacro()

# Eigen's own build looks for Fortran and more; its headers are all we need, so a folder without CMakeLists.txt is named.
headroom_package(Eigen3 3.4 https://gitlab.com/libeigen/eigen.git 3.4.0 SOURCE_SUBDIR headers-only)
if(NOT TARGET Eigen3::Eigen)
  add_library(Eigen3::Eigen INTERFACE IMPORTED GLOBAL)
  target_include_directories(Eigen3::Eigen SYSTEM INTERFACE ${eigen3_SOURCE_DIR})
endif()

headroom_package(nlohmann_json 3.11 https://github.com/nlohmann/json.git v3.11.3)
headroom_package(fmt 9.1 https://github.com/fmtlib/fmt.git 10.2.1)
headroom_package(CLI11 2.1 https://github.com/CLIUtils/CLI11.git v2.4.2)

if(HEADROOM_TESTS STREQUAL "ON")
  headroom_package(Catch2 "" https://github.com/catchorg/Catch2.git v3.5.4) # the tests compile with 2.13 and 3
  if(NOT Catch2_FOUND)
    list(APPEND CMAKE_MODULE_PATH ${catch2_SOURCE_DIR}/extras)
  endif()
elseif(HEADROOM_TESTS STREQUAL "AUTO")
  find_package(Catch2 QUIET)
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

# MPI: only chapter 17 uses it.
if(NOT HEADROOM_MPI STREQUAL "OFF")
  find_package(MPI QUIET COMPONENTS CXX)
  if(MPI_CXX_FOUND)
    message(STATUS "MPI ${MPI_CXX_VERSION}: the system's")
  elseif(HEADROOM_MPI STREQUAL "ON")
    message(FATAL_ERROR "HEADROOM_MPI=ON, but there is no MPI (Debian: openmpi-bin libopenmpi-dev)")
  endif()
endif()
