# ImGui with its OpenGL 3 renderer: Debian's library, else a pinned release, or the folder of your own in
# FETCHCONTENT_SOURCE_DIR_IMGUI. 1.86, 1.90, 1.91 and 1.92 will do.
if(NOT FETCHCONTENT_SOURCE_DIR_IMGUI)
  find_path(HEADROOM_IMGUI imgui.h PATH_SUFFIXES imgui)
  find_library(HEADROOM_IMGUI_LIBRARY imgui)
  find_library(HEADROOM_STB_LIBRARY stb) # Debian's ImGui leaves stb's code to it
endif()
if(HEADROOM_IMGUI AND HEADROOM_IMGUI_LIBRARY)
  message(STATUS "ImGui: the system's")
  add_library(imgui INTERFACE)
  target_include_directories(imgui SYSTEM INTERFACE ${HEADROOM_IMGUI} ${HEADROOM_IMGUI}/backends)
  target_link_libraries(imgui INTERFACE ${HEADROOM_IMGUI_LIBRARY})
  if(HEADROOM_STB_LIBRARY)
    target_link_libraries(imgui INTERFACE ${HEADROOM_STB_LIBRARY})
  endif()
else()
  FetchContent_Declare(imgui GIT_REPOSITORY https://github.com/ocornut/imgui.git GIT_TAG v1.91.9b GIT_SHALLOW ON)
  FetchContent_MakeAvailable(imgui)
  message(STATUS "ImGui: ${imgui_SOURCE_DIR}")
  add_library(imgui STATIC ${imgui_SOURCE_DIR}/imgui.cpp ${imgui_SOURCE_DIR}/imgui_draw.cpp ${imgui_SOURCE_DIR}/imgui_tables.cpp
    ${imgui_SOURCE_DIR}/imgui_widgets.cpp ${imgui_SOURCE_DIR}/backends/imgui_impl_opengl3.cpp)
  target_include_directories(imgui SYSTEM PUBLIC ${imgui_SOURCE_DIR} ${imgui_SOURCE_DIR}/backends)
endif()
target_link_libraries(imgui INTERFACE ${CMAKE_DL_LIBS})
