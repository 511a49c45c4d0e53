// The window without a window, started as a reader starts it, and the hands that use it.
#pragma once
#include "viewer/app/app.h"

namespace headroom {

App started(Preferences preferences = {});
void type(App& app, char32_t code, bool shift = false, bool ctrl = false);
void click(App& app, Point at);
const Spot& spot_of(App& app, Act act, double value = 0); // where a click asks for this; fails the test if nowhere
double time_of(const App& app);
double last_of(const App& app);

} // namespace headroom
