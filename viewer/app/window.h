// The real window: GLFW, OpenGL and ImGui's renderer around an App. Built where they are there.
#pragma once
#include "viewer/app/app.h"

namespace headroom {

std::string why_no_window(); // empty: a window can be opened; else the reason in a few words

// Until the reader closes it; returns the preferences to remember. Throws std::invalid_argument if it cannot open.
Preferences run_window(App& app);

struct FrameTimes { // milliseconds, medians
    int frames = 0;
    double layout = 0, paint = 0,
           whole = 0; // pictures from the state; onto the draw list; with OpenGL until it is done
    int vertices = 0;
};
FrameTimes time_frames(App& app, int frames); // every frame laid out anew, along the timeline
} // namespace headroom
