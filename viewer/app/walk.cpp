#include "viewer/app/walk.h"

#include <algorithm>

namespace headroom {
namespace {

std::vector<Stop> existing_stops()
{
    std::vector<Stop> all{
#define STOP(scene, time, lit, text) {#scene, time, Cell lit, Words::text},
#include "viewer/app/walk.inc"
#undef STOP
    };
    std::erase_if(
        all, [](const Stop& stop) { return std::ranges::find(scenes(), stop.scene, &Scene::name) == scenes().end(); });
    return all;
}

// A stop shows the scene's own run as it begins, whatever the reader has opened or changed.
void go_to(State& state, std::size_t number)
{
    const Stop& stop = stops()[number];
    state.stop = number;
    const auto scene = std::ranges::find(scenes(), stop.scene, &Scene::name);
    state.scene = static_cast<std::size_t>(scene - scenes().begin());
    state.playing = false;
    state.hover = {};
    Desk& desk = state.desk();
    if (!desk.recording || desk.from_file || desk.of_case || !desk.settings.empty()) {
        desk.settings.clear();
        make_again(state);
    }
    desk.pinned = stop.lit;
    seek(state, stop.time);
}

} // namespace

std::span<const Stop> stops()
{
    static const std::vector<Stop> list = existing_stops();
    return list;
}

void begin_walk(State& state)
{
    state.help = false;
    if (!stops().empty()) go_to(state, 0);
}

void walk_by(State& state, int by)
{
    if (!state.stop) return;
    const std::ptrdiff_t next = static_cast<std::ptrdiff_t>(*state.stop) + by;
    if (next >= static_cast<std::ptrdiff_t>(stops().size()))
        end_walk(state);
    else if (next >= 0)
        go_to(state, static_cast<std::size_t>(next));
}

void end_walk(State& state)
{
    if (!state.stop) return;
    state.stop.reset();
    state.desk().pinned = {};
}

} // namespace headroom
