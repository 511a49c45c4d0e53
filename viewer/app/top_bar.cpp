// Scenes at the left, the recording in the middle, language, text size, theme and help at the right.
#include "viewer/app/bars.h"

#include <string>

namespace headroom {
namespace {

void tabs(BarPainter& bar, Rect& row)
{
    const float em = bar.em, size = em;
    for (std::size_t i = 0; i < scenes().size(); ++i) {
        const bool shown = i == bar.state.scene;
        const Face face = shown ? Face::bold : Face::sans;
        const std::string_view title = bar.say(scenes()[i].title);
        const float number = text_width("0", Face::mono, 0.75f * em) + 0.45f * em;
        const Rect tab = row.cut_left(number + text_width(title, face, size) + 1.8f * em);
        if (!shown && bar.pointed_at(tab)) bar.picture.fill(tab.inset(0.15f * em), Ink::sunken, 0.35f * em);
        const float y = bar.base_line(tab, size), x = tab.x0 + 0.9f * em;
        bar.picture.words({x, y}, "{}", {.ink = Ink::muted, .size = 0.75f * em, .face = Face::mono},
                          {{.what = "key of " + std::string(scenes()[i].name),
                            .number = static_cast<double>(i + 1),
                            .unit = Unit::index}});
        bar.picture.words({x + number, y}, title, {.ink = shown ? Ink::ink : Ink::muted, .size = size, .face = face});
        if (shown) bar.picture.fill({x, tab.y1 - 0.22f * em, tab.x1 - 0.9f * em, tab.y1}, Ink::accent, 0.1f * em);
        bar.spots.push_back({tab, {Act::scene, static_cast<double>(i)}});
    }
}

// A disc, half of it filled.
void theme_button(BarPainter& bar, Rect at)
{
    bar.button(at, "", {Act::theme}, {});
    const float r = 0.42f * bar.em;
    const Point c = at.centre();
    bar.picture.fill({c.x - r, c.y - r, c.x + r, c.y + r}, Ink::ink, r);
    const float inner = r - 0.11f * bar.em;
    bar.picture.fill({c.x, c.y - inner, c.x + inner, c.y + inner}, Ink::sunken, inner);
    bar.picture.fill({c.x, c.y - inner, c.x + inner * 0.4f, c.y + inner}, Ink::sunken);
}

} // namespace

void top_bar(BarPainter& bar, Rect& room)
{
    const float em = bar.em;
    const Rect strip = room.cut_top(2.9f * em);
    bar.picture.fill(strip, Ink::panel);
    bar.picture.line({strip.x0, strip.y1 - 0.5f}, {strip.x1, strip.y1 - 0.5f}, Ink::rule);
    Rect row = strip;
    row.cut_left(0.6f * em);
    row.cut_right(em);
    tabs(bar, row);

    Rect right = row.inset(0, 0.55f * em);
    const auto button = [&](std::string_view label, Act act, float width, const BarPainter::Look& look = {}) {
        bar.button(right.cut_right(width * em), label, {act}, look);
        right.cut_right(0.4f * em);
    };
    button("?", Act::help, 2, {.active = bar.state.help});
    theme_button(bar, right.cut_right(2 * em));
    right.cut_right(0.4f * em);
    button("A+", Act::larger, 2.4f);
    button("A−", Act::smaller, 2.4f, {.size = 0.8f});
    button(bar.state.preferences.language == Language::en ? "中文" : "English", Act::language, 4.8f);
    button(bar.say(Words::guided_walk), Act::walk, bar.width_of(bar.say(Words::guided_walk), {}) / em,
           {.active = bar.state.stop.has_value()});

    // What is shown: an opened file, or the run that the scene makes itself.
    right.cut_left(1.5f * em);
    right.cut_right(em);
    const Desk& desk = bar.state.desk();
    if (!desk.recording) return;
    if (bar.state.file || desk.of_case) {
        const std::string label = shorten(desk.from_file ? bar.state.file_name
                                          : desk.of_case ? "← " + std::string(bar.say(Words::own_run))
                                                         : std::string(bar.say(Words::own_run)),
                                          Face::sans, 0.9f * em, right.width() - 1.2f * em);
        const BarPainter::Look look{.active = desk.from_file};
        bar.button(right.cut_left(bar.width_of(label, look)), label, {Act::source}, look);
        right.cut_left(0.8f * em);
    }
    if (right.width() > 8 * em)
        bar.picture.words({right.x0, bar.base_line(right, 0.9f * em)},
                          shorten(translated(desk.recording->title, bar.state.preferences.language), Face::sans,
                                  0.9f * em, right.width()),
                          {.ink = Ink::muted, .size = 0.9f * em});
}

} // namespace headroom
