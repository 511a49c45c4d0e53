#include "viewer/app/actions.h"

#include "viewer/app/export_now.h"
#include "viewer/app/open_case.h"
#include "viewer/app/walk.h"
#include "viewer/picture/neighbour.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom {
namespace {

constexpr double close = 1e-6;

void step_by(State& state, int steps)
{
    state.playing = false;
    const double time = state.desk().time;
    seek(state, steps > 0 ? std::floor(time + close) + steps : std::ceil(time - close) + steps);
}

void play(State& state)
{
    state.playing = !state.playing && state.last() > 0;
    if (state.playing) seek(state, state.desk().time >= state.last() ? 0 : state.desk().time);
}

void change_speed(State& state, double factor)
{
    seek(state, state.desk().time); // what was played until now was played at the old speed
    state.preferences.speed = std::clamp(state.preferences.speed * factor, 0.125, 16.0);
}

void change_size(State& state, double factor)
{
    double& scale = state.preferences.text_scale;
    scale = factor == 0 ? 1 : std::clamp(scale * factor, 0.8, 1.2);
}

// An arrow moves the pinned cell if there is one.
bool moved_pin(State& state, int right, int down)
{
    Desk& desk = state.desk();
    if (desk.pinned.part == Part::none) return false;
    if (desk.recording)
        desk.pinned =
            neighbour(draw(state.shown(), *desk.recording, state.view(), state.size), desk.pinned, right, down);
    return true;
}

void change_control(State& state, std::size_t index, double value)
{
    Desk& desk = state.desk();
    if (!desk.recording) return;
    const std::vector<Control> controls = state.shown().controls(*desk.recording);
    if (index >= controls.size()) return;
    const Control& control = controls[index];
    if (control.remakes && (desk.from_file || desk.of_case)) return;
    const Settings before = desk.settings;
    desk.settings[std::string(control.key)] = value;
    if (setting(desk.settings, control) == setting(before, control) || !control.remakes) return;
    desk.pinned = {};
    if (!make_again(state)) desk.settings = before; // what is shown is still the run before
}

// Between the opened file and the run that the scene makes itself.
void change_source(State& state)
{
    Desk& desk = state.desk();
    if (!state.file && !desk.of_case) return;
    desk.pinned = {};
    if (desk.from_file || desk.of_case) {
        make_again(state);
    } else if (state.shown().steps(*state.file, {}) > 0) {
        desk.recording = state.file;
        desk.overview = state.file_overview;
        desk.from_file = true;
    }
    seek(state, 1e9);
}

void leave(State& state)
{
    if (state.help)
        state.help = false;
    else if (state.desk().pinned.part != Part::none)
        state.desk().pinned = {};
    else
        end_walk(state);
}

void pin(State& state)
{
    Cell& pinned = state.desk().pinned;
    pinned = pinned.part != Part::none ? Cell{} : state.hover;
}

} // namespace

void act(State& state, const Request& r)
{
    if (r.act != Act::export_picture) state.message.clear();
    Preferences& p = state.preferences;
    switch (r.act) {
    case Act::play: play(state); break;
    case Act::left:
        if (!moved_pin(state, -1, 0)) step_by(state, -1);
        break;
    case Act::right:
        if (!moved_pin(state, 1, 0)) step_by(state, 1);
        break;
    case Act::up: moved_pin(state, 0, -1); break;
    case Act::down: moved_pin(state, 0, 1); break;
    case Act::step_back: step_by(state, -1); break;
    case Act::step: step_by(state, 1); break;
    case Act::phase_back:
        state.playing = false;
        seek(state, previous_phase(state.shown().phases(), state.desk().time));
        break;
    case Act::phase:
        state.playing = false;
        seek(state, next_phase(state.shown().phases(), state.desk().time, state.last()));
        break;
    case Act::first: seek(state, 0); break;
    case Act::last: seek(state, state.last()); break;
    case Act::seek: seek(state, r.value); break;
    case Act::slower: change_speed(state, 0.5); break;
    case Act::faster: change_speed(state, 2); break;
    case Act::scene: show(state, static_cast<std::size_t>(r.value)); break;
    case Act::source: change_source(state); break;
    case Act::control: change_control(state, r.index, r.value); break;
    case Act::pin: pin(state); break;
    case Act::leave: leave(state); break;
    case Act::theme: p.dark = !p.dark; break;
    case Act::language: p.language = p.language == Language::en ? Language::zh : Language::en; break;
    case Act::logarithmic: p.logarithmic = !p.logarithmic; break;
    case Act::larger: change_size(state, 1.1); break;
    case Act::smaller: change_size(state, 1 / 1.1); break;
    case Act::usual_size: change_size(state, 0); break;
    case Act::motion:
        seek(state, state.desk().time);
        p.reduced_motion = !p.reduced_motion;
        break;
    case Act::chapter:
        state.message = fmt::format("{} ./headroom tutorial {:g} --text", words(Words::read_it, p.language), r.value);
        break;
    case Act::open_case: open_case(state); break;
    case Act::export_picture: export_now(state); break;
    case Act::help: state.help = !state.help; break;
    case Act::walk: state.stop ? end_walk(state) : begin_walk(state); break;
    case Act::walk_on: walk_by(state, 1); break;
    case Act::walk_back: walk_by(state, -1); break;
    case Act::quit: state.quit = true; break;
    }
}

} // namespace headroom
