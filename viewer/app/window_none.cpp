// For builds without GLFW, OpenGL or ImGui.
#include "viewer/app/window.h"

#include <stdexcept>

namespace headroom {

std::string why_no_window() { return "this program was built without its window (HEADROOM_VIEWER)"; }
Preferences run_window(App&) { throw std::invalid_argument(why_no_window()); }
FrameTimes time_frames(App&, int) { throw std::invalid_argument(why_no_window()); }

} // namespace headroom
