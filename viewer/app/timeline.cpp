// The timeline: to the first step, back, play, on, to the last; a track to scrub; the phases of a step and the speed.
#include "viewer/app/bars.h"

#include <cmath>

namespace headroom {
namespace {

void bar_and_triangle(BarPainter& bar, Rect at, bool at_left, const Request& request)
{
    bar.button(at, at_left ? "◀" : "▶", request, {.face = Face::mono, .size = 0.75f});
    const float em = bar.em, x = at.centre().x + (at_left ? -0.42f : 0.42f) * em, half = 0.3f * em;
    bar.picture.fill({x - 0.06f * em, at.centre().y - half, x + 0.06f * em, at.centre().y + half}, Ink::ink);
}

void play_button(BarPainter& bar, Rect at)
{
    const float em = bar.em;
    const bool playing = bar.state.playing;
    bar.button(at, playing ? "" : "▶", {Act::play}, {.active = true, .face = Face::mono, .size = 1.15f});
    for (const float side : {-0.3f, 0.12f})
        if (playing)
            bar.picture.fill({at.centre().x + side * em, at.centre().y - 0.45f * em, at.centre().x + (side + 0.2f) * em,
                              at.centre().y + 0.45f * em},
                             Ink::accent, 0.05f * em);
}

void buttons(BarPainter& bar, Rect room)
{
    const float em = bar.em;
    const Rect row{room.x0, room.centre().y - 1.1f * em, room.x1, room.centre().y + 1.1f * em};
    Rect left = row;
    const auto next = [&](float width) {
        const Rect at = left.cut_left(width * em);
        left.cut_left(0.35f * em);
        return at;
    };
    bar_and_triangle(bar, next(2.2f), true, {Act::first});
    bar.button(next(2.2f), "◀", {Act::step_back}, {.face = Face::mono, .size = 0.75f});
    play_button(bar, next(3));
    bar.button(next(2.2f), "▶", {Act::step}, {.face = Face::mono, .size = 0.75f});
    bar_and_triangle(bar, next(2.2f), false, {Act::last});
}

void track(BarPainter& bar, Rect at)
{
    const float em = bar.em;
    Picture& picture = bar.picture;
    const double last = bar.state.last(), time = bar.state.desk().time;
    const auto x_of = [&](double t) { return at.x0 + at.width() * static_cast<float>(last > 0 ? t / last : 1); };
    const float y = at.centre().y, thick = 0.16f * em;
    picture.fill({at.x0, y - thick, at.x1, y + thick}, Ink::rule, thick);
    picture.fill({at.x0, y - thick, x_of(time), y + thick}, Ink::accent, thick);

    // A tick and its number where there is room; within the step that is under way, its phases.
    const float each = last > 0 ? at.width() / static_cast<float>(last) : at.width();
    int every = 1;
    for (const int n : {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000})
        if (every = n; each * static_cast<float>(n) >= 3.2f * em) break;
    for (double step = 0; step <= last; step += each >= 5 ? 1 : every) {
        const bool labelled = std::fmod(step, every) == 0;
        const float half = (labelled ? 0.42f : 0.28f) * em;
        picture.fill({x_of(step) - 0.5f, y - half, x_of(step) + 0.5f, y + half}, Ink::faint);
        if (labelled)
            picture.words({x_of(step), y + 1.5f * em}, "{}",
                          {.ink = Ink::muted, .size = 0.75f * em, .face = Face::mono, .align = Align::centre},
                          {{.what = "step on the timeline", .number = step, .unit = Unit::index}});
    }
    const double step = std::ceil(time) - 1;
    if (time > step && time < step + 1 && each > 3 * em)
        for (const Phase& phase : bar.state.shown().phases()) {
            const float x = x_of(step + phase.until);
            picture.fill({x - 0.5f, y - 0.2f * em, x + 0.5f, y + 0.2f * em}, Ink::muted);
        }
    const float knob = (bar.pointed_at(at.inset(-em)) ? 0.62f : 0.52f) * em, x = x_of(time);
    picture.fill({x - knob, y - knob, x + knob, y + knob}, Ink::accent, knob);
    picture.fill({x - 0.4f * knob, y - 0.4f * knob, x + 0.4f * knob, y + 0.4f * knob}, Ink::panel, 0.4f * knob);
    bar.spots.push_back({at.inset(-em, -0.6f * em), {Act::seek}, true});
}

// Names of the phases in their order; the one under way stands out, a click goes to its end.
void phases(BarPainter& bar, Rect row)
{
    const float em = bar.em, size = 0.82f * em;
    const std::span<const Phase> all = bar.state.shown().phases();
    const double time = bar.state.desk().time, step = std::max(0.0, std::ceil(time) - 1);
    const std::size_t now = phase_at(all, time);
    if (bar.state.last() == 0) return;
    for (std::size_t i = all.size(); i-- > 0;) {
        const Face face = i == now ? Face::bold : Face::sans;
        const std::string_view name = bar.say(all[i].name);
        const Rect at = row.cut_right(text_width(name, Face::bold, size) + 0.5f * em);
        if (row.width() <= 0) return;
        bar.picture.words(
            {at.centre().x, bar.base_line(at, size)}, name,
            {.ink = i == now ? Ink::accent : Ink::muted, .size = size, .face = face, .align = Align::centre});
        bar.spots.push_back({at, {Act::seek, step + all[i].until}});
        if (i > 0) {
            const Rect bar_between = row.cut_right(0.8f * em);
            bar.picture.fill({bar_between.centre().x - 0.5f, bar_between.centre().y - 0.4f * em,
                              bar_between.centre().x + 0.5f, bar_between.centre().y + 0.4f * em},
                             Ink::rule);
        }
    }
}

void speed(BarPainter& bar, Rect row)
{
    const float em = bar.em, size = 0.85f * em;
    const double now = bar.state.preferences.speed;
    BarPainter::Look look{.face = Face::mono, .size = 0.85f};
    look.enabled = now < 16;
    bar.button(row.cut_right(1.9f * em), "+", {Act::faster}, look);
    const Rect value = row.cut_right(4.4f * em);
    const bool slow = now < 1;
    bar.picture.words({value.centre().x, bar.base_line(value, size)},
                      bar.say(slow ? Words::speed_part : Words::speed_times),
                      {.size = size, .face = Face::mono, .align = Align::centre},
                      {{.what = slow ? "seconds per step" : "steps per second",
                        .number = slow ? 1 / now : now,
                        .unit = Unit::index}});
    look.enabled = now > 0.125;
    bar.button(row.cut_right(1.9f * em), "−", {Act::slower}, look);
    row.cut_right(0.7f * em);
    bar.picture.words({row.x1, bar.base_line(row, size)}, bar.say(Words::speed),
                      {.ink = Ink::muted, .size = size, .align = Align::right});
}

} // namespace

void timeline(BarPainter& bar, Rect& room, Rect& track_at)
{
    const float em = bar.em;
    const Rect strip = room.cut_bottom(4.3f * em);
    bar.picture.fill(strip, Ink::panel);
    bar.picture.line({strip.x0, strip.y0 + 0.5f}, {strip.x1, strip.y0 + 0.5f}, Ink::rule);
    Rect row = strip.inset(1.2f * em, 0.5f * em);
    const bool has_steps = bar.state.last() > 0;
    if (!has_steps) {
        bar.picture.words({row.x0, bar.base_line(row, em)}, bar.say(Words::no_steps),
                          {.ink = Ink::muted, .size = 0.9f * em});
        return;
    }
    buttons(bar, row.cut_left(15 * em));
    Rect right = row.cut_right(27 * em);
    phases(bar, right.cut_bottom(1.5f * em));
    speed(bar, right.cut_top(1.6f * em));
    row.cut_left(2 * em);
    row.cut_right(3 * em);
    track_at = {row.x0, row.y0, row.x1, row.y0 + 1.6f * em};
    track(bar, track_at);
}

} // namespace headroom
