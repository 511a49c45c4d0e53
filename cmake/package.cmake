# What `cmake --install` leaves behind besides the program: the reference as libraries for other projects, and a Debian package.
#
#     find_package(Headroom 0.1 REQUIRED)
#     target_link_libraries(mine PRIVATE Headroom::attention Headroom::kv_cache)
#
# Headers are included by their path here: #include <reference/attention/attention.h>. tests/package is an example.
include(CMakePackageConfigHelpers)

# An exported library can only ask for packages that will be there: those that CMake fetched for itself will not.
if(nlohmann_json_FOUND AND fmt_FOUND AND Eigen3_FOUND)
  get_property(targets GLOBAL PROPERTY HEADROOM_PACKAGE_TARGETS)
  install(TARGETS ${targets} EXPORT HeadroomTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT HeadroomTargets NAMESPACE Headroom:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Headroom)
  install(DIRECTORY reference DESTINATION include/headroom FILES_MATCHING PATTERN "*.h")
  file(WRITE ${CMAKE_BINARY_DIR}/HeadroomConfig.cmake "include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(Eigen3)
find_dependency(nlohmann_json)
find_dependency(fmt)
include(\${CMAKE_CURRENT_LIST_DIR}/HeadroomTargets.cmake)
")
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/HeadroomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_BINARY_DIR}/HeadroomConfig.cmake ${CMAKE_BINARY_DIR}/HeadroomConfigVersion.cmake
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Headroom)
else()
  message(STATUS "The libraries are not installed for other projects: some of their packages were fetched")
endif()
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES cuda/plugin.h cuda/example_plugin.c DESTINATION share/headroom/plugin)

# cpack -G DEB --config build/release/CPackConfig.cmake
set(CPACK_PACKAGE_NAME headroom)
set(CPACK_PACKAGE_CONTACT "The Headroom developers <headroom@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
include(CPack)
