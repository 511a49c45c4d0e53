#include "tests/viewer/started_app.h"

#include "experiments/scene_recordings.h"
#include "tests/support/catch.h"
#include <algorithm>

namespace headroom {

App started(Preferences preferences)
{
    preferences.language = Language::en;
    App app([](std::string_view scene, const Settings& settings) { return scene_recording(scene, settings); },
            preferences);
    app.resize(static_cast<float>(preferences.width), static_cast<float>(preferences.height), 11);
    app.tick(0);
    return app;
}

void type(App& app, char32_t code, bool shift, bool ctrl) { app.press(Key{code, shift, ctrl}); }

void click(App& app, Point at)
{
    app.press(at);
    app.release();
}

const Spot& spot_of(App& app, Act act, double value)
{
    const auto& spots = app.screen().spots;
    const auto found =
        std::ranges::find_if(spots, [&](const Spot& s) { return s.request.act == act && s.request.value == value; });
    REQUIRE(found != spots.end());
    return *found;
}

double time_of(const App& app) { return app.state().desk().time; }
double last_of(const App& app) { return app.state().last(); }

} // namespace headroom
