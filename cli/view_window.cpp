#include "cli/view_window.h"

#include "experiments/scene_recordings.h"
#include "viewer/app/headless.h"
#include "viewer/app/window.h"
#include "viewer/picture/neighbour.h"
#include <fmt/format.h>
#include <iostream>
#include <stdexcept>

namespace headroom {
namespace {

Recording make(std::string_view scene, const Settings& settings)
{
    Recording recording = scene_recording(scene, settings);
    if (recording.command.empty()) recording.command = "headroom view --scene " + std::string(scene);
    return recording;
}

Preferences with(const WindowChoices& choices, Preferences preferences)
{
    if (choices.dark) preferences.dark = *choices.dark;
    if (choices.language) preferences.language = *choices.language;
    if (choices.size) std::tie(preferences.width, preferences.height) = *choices.size;
    return preferences;
}

void set_up(App& app, const WindowChoices& choices)
{
    if (choices.recording) app.open(choices.recording, choices.file_name);
    for (std::size_t i = 0; i < scenes().size(); ++i)
        if (scenes()[i].name == choices.scene) app.ask({Act::scene, static_cast<double>(i)});
    const std::vector<Control> controls = app.state().shown().controls(*app.state().desk().recording);
    for (std::size_t i = 0; i < controls.size(); ++i)
        if (const auto chosen = choices.settings.find(controls[i].key); chosen != choices.settings.end())
            app.ask({Act::control, chosen->second, i});
    if (choices.step >= 0) app.ask({Act::seek, choices.step});
    if (choices.walk) app.ask({Act::walk});
}

} // namespace

bool has_window() { return why_no_window().empty(); }

int open_window(const WindowChoices& choices)
{
    if (const std::string why = why_no_window(); !why.empty())
        throw std::invalid_argument(
            "no window: " + why +
            "; --export FILE.svg|.png|.mp4|.gif writes pictures, --describe prints what they show");
    const std::filesystem::path path = preferences_path();
    App app(make, with(choices, remembered(path)));
    set_up(app, choices);
    if (choices.time_frames > 0) {
        if (app.state().steps() == 0)
            throw std::invalid_argument("--time-frames: the scene " + std::string(app.state().shown().name) +
                                        " has nothing to draw: " + app.state().desk().recording->title);
        const FrameTimes t = time_frames(app, choices.time_frames);
        std::cout << fmt::format(
            "{} frames of {} at {}x{}: layout {:.2f} ms, paint {:.2f} ms, whole {:.2f} ms (medians), {} vertices\n",
            t.frames, app.state().shown().name, app.state().preferences.width, app.state().preferences.height, t.layout,
            t.paint, t.whole, t.vertices);
        return 0;
    }
    remember(run_window(app), path);
    return 0;
}

Picture window_picture(const WindowChoices& choices, const Cell& hover)
{
    const Preferences preferences = with(choices, Preferences{});
    App app(make, preferences);
    app.resize(static_cast<float>(preferences.width), static_cast<float>(preferences.height), 11);
    set_up(app, choices);
    if (const auto at = place_of(app.screen().scene, hover)) app.point(at->centre());
    return joined(app.screen());
}

void write_walk(const std::filesystem::path& folder, const WindowChoices& choices, float zoom)
{
    const std::size_t stops = export_walk(folder, make, with(choices, Preferences{}), zoom);
    std::cout << "wrote " << stops << " stops, each as SVG and PNG, and walk.txt into " << folder.string() << '\n';
}

void write_scene_film(const std::filesystem::path& path, const Scene& scene, const Recording& recording,
                      const View& view, Rect size, const Theme& theme, float zoom, double speed)
{
    const WrittenFilm written = write_film(film_of(scene, recording, view, size, speed), theme, zoom, path);
    if (written.is_folder)
        std::cerr << "headroom: there is no ffmpeg to make " << path.string() << "; its " << written.frames
                  << " frames are PNGs in " << written.path.string() << '\n';
}

} // namespace headroom
