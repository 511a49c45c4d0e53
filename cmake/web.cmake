# The viewer as one web page, build/web/headroom.html: cmake --preset web && cmake --build build/web. viewer/web says the rest.
#
# Of the system's packages only headers are of use here; links to them keep the rest of /usr/include away from the compiler.
include(FetchContent) # ImGui
set(headroom_packages ${CMAKE_BINARY_DIR}/packages)
file(MAKE_DIRECTORY ${headroom_packages})
foreach(header IN ITEMS Eigen/Core nlohmann/json.hpp fmt/format.h stb/stb_truetype.h)
  get_filename_component(folder ${header} DIRECTORY)
  find_path(HEADROOM_WEB_${folder} ${header} PATHS /usr/local/include /usr/include PATH_SUFFIXES eigen3 NO_CMAKE_FIND_ROOT_PATH)
  if(NOT HEADROOM_WEB_${folder})
    message(FATAL_ERROR "No ${header} (Debian: libeigen3-dev nlohmann-json3-dev libfmt-dev libstb-dev)")
  endif()
  file(CREATE_LINK ${HEADROOM_WEB_${folder}}/${folder} ${headroom_packages}/${folder} SYMBOLIC)
endforeach()
foreach(package IN ITEMS Eigen3::Eigen nlohmann_json::nlohmann_json fmt::fmt stb glfw OpenGL::GL)
  add_library(${package} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${package} SYSTEM INTERFACE ${headroom_packages})
endforeach()
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)

set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
set(headroom_libcxx ${PROJECT_SOURCE_DIR}/viewer/web/libcxx)
add_compile_options(-fwasm-exceptions "SHELL:-isystem ${headroom_libcxx}" "SHELL:-include ${headroom_libcxx}/missing.h" -DIMGUI_IMPL_OPENGL_ES3)
foreach(folder IN ITEMS tensor contract attention kv_cache verification recording planning)
  add_subdirectory(reference/${folder})
endforeach()
add_subdirectory(viewer)
add_subdirectory(viewer/web)
