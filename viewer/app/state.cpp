#include "viewer/app/state.h"

#include "viewer/scenes/magnitudes.h"
#include <algorithm>
#include <utility>

namespace headroom {
namespace {

void use(Desk& desk, std::shared_ptr<const Recording> recording, std::shared_ptr<const Overview> seen, bool from_file)
{
    desk.recording = std::move(recording);
    desk.overview = std::move(seen);
    desk.from_file = from_file;
    desk.of_case = false;
}

} // namespace

State::State(MakeRecording make_recording) : desks(scenes().size()), make(std::move(make_recording)) {}

// Text grows with the window, so that a layout that fits once fits always.
float State::em() const
{
    const float by_size = 15 * std::min(size.height() / 900, size.width() / 1600);
    return std::max(by_size * static_cast<float>(preferences.text_scale), least_text);
}

std::size_t State::steps() const
{
    View plain;
    plain.settings = desk().settings;
    return desk().recording ? shown().steps(*desk().recording, plain) : 0;
}

Playback State::playback() const
{
    return {.from = began_from,
            .seconds = now - began_at,
            .speed = preferences.speed,
            .last = last(),
            .reduced_motion = preferences.reduced_motion};
}

View State::view() const
{
    View view;
    view.time = desk().time;
    view.hover = hover;
    view.pinned = desk().pinned;
    view.text_size = em();
    view.logarithmic = preferences.logarithmic;
    view.language = preferences.language;
    view.settings = desk().settings;
    view.overview = desk().overview;
    return view;
}

void open_file(State& state, const std::filesystem::path& path)
{
    std::shared_ptr<const Recording> recording;
    try {
        recording = std::make_shared<const Recording>(read_recording(path));
    } catch (const std::exception& error) {
        state.message = error.what();
        return;
    }
    open_recording(state, std::move(recording), path.filename().string());
}

void open_recording(State& state, std::shared_ptr<const Recording> recording, std::string name)
{
    state.file = std::move(recording);
    state.file_overview = overview(*state.file);
    state.file_name = std::move(name);
    state.message.clear();
    for (std::size_t i = 0; i < state.desks.size(); ++i)
        state.desks[i] = scenes()[i].steps(*state.file, {}) > 0 ? Desk{.recording = state.file,
                                                                       .overview = state.file_overview,
                                                                       .from_file = true,
                                                                       .of_case = false,
                                                                       .settings = {},
                                                                       .time = 1e9,
                                                                       .pinned = {}}
                                                                : Desk{};
    const auto first = std::ranges::find(state.desks, true, &Desk::from_file);
    if (first == state.desks.end())
        state.message = state.file_name + ": this recording holds nothing that a scene could show";
    else if (!state.desk().from_file)
        state.scene = static_cast<std::size_t>(first - state.desks.begin());
    show(state, state.scene);
}

void show(State& state, std::size_t scene)
{
    if (scene >= scenes().size()) return;
    state.scene = scene;
    state.playing = false;
    state.hover = {};
    if (!state.desk().recording) {
        make_again(state);
        state.desk().time = 1e9; // all of it first, from the beginning when it plays
    }
    seek(state, state.desk().time);
}

bool make_again(State& state)
{
    Desk& desk = state.desk();
    bool made = false;
    try {
        auto recording = std::make_shared<const Recording>(state.make(state.shown().name, desk.settings));
        auto seen = overview(*recording);
        use(desk, std::move(recording), std::move(seen), false);
        state.message.clear();
        made = true;
    } catch (const std::exception& error) {
        state.message = error.what();
        if (!desk.recording) use(desk, std::make_shared<const Recording>(), nullptr, false);
    }
    seek(state, desk.time);
    return made;
}

void seek(State& state, double time)
{
    state.desk().time = std::clamp(time, 0.0, state.last());
    state.began_at = state.now;
    state.began_from = state.desk().time;
}

} // namespace headroom
