#include "viewer/app/bars.h"

#include "viewer/app/walk.h"
#include "viewer/picture/paragraph.h"

namespace headroom {

float BarPainter::width_of(std::string_view label, const Look& look) const
{
    return text_width(label, look.face, look.size * em) + 1.2f * em;
}

void BarPainter::button(Rect at, std::string_view label, const Request& request, const Look& look)
{
    const bool lit = look.enabled && pointed_at(at);
    if (look.framed || lit) picture.fill(at, Ink::sunken, 0.35f * em);
    if (look.active || lit)
        picture.frame(at, look.active ? Ink::accent : Ink::rule, look.active ? 1.5f : 1, 0.35f * em);
    const float size = look.size * em;
    picture.words({at.centre().x, base_line(at, size)}, label,
                  {.ink = !look.enabled ? Ink::faint
                          : look.active ? Ink::accent
                                        : Ink::ink,
                   .size = size,
                   .face = look.face,
                   .align = Align::centre});
    if (look.enabled) spots.push_back({at, request});
}

// Back, the words of the stop, on; above the timeline.
void walk_bar(BarPainter& bar, Rect& room)
{
    const float em = bar.em;
    Rect strip = room.cut_bottom(6.6f * em).inset(em, 0.4f * em);
    bar.picture.fill(strip, Ink::panel, 0.5f * em);
    bar.picture.fill({strip.x0, strip.y0 + 0.5f * em, strip.x0 + 0.25f * em, strip.y1 - 0.5f * em}, Ink::accent);
    Rect inside = strip.inset(1.2f * em, 0.7f * em);
    Rect buttons = inside.cut_right(15 * em);
    inside.cut_right(2 * em);

    const std::size_t stop = *bar.state.stop, count = stops().size();
    bar.picture.words({buttons.x1, buttons.y0 + 0.9f * em}, bar.say(Words::stop_of),
                      {.ink = Ink::muted, .size = 0.85f * em, .align = Align::right},
                      {{.what = "stop", .number = static_cast<double>(stop + 1), .unit = Unit::index},
                       {.what = "stops", .number = static_cast<double>(count), .unit = Unit::index}});
    Rect row = buttons.cut_bottom(2 * em);
    const bool last = stop + 1 == count;
    bar.button(row.cut_right(7.2f * em), bar.say(last ? Words::walk_ends : Words::walk_next), {Act::walk_on},
               {.active = true});
    row.cut_right(0.6f * em);
    bar.button(row.cut_right(7.2f * em), bar.say(Words::walk_before), {Act::walk_back}, {.enabled = stop > 0});
    inside.x1 = std::min(inside.x1, inside.x0 + 88 * em);
    paragraph(bar.picture, inside, bar.say(stops()[stop].text), {.size = 1.02f * em});
}

void message_over(BarPainter& bar, Rect room)
{
    const float em = bar.em, size = 0.95f * em;
    const std::string line = shorten(bar.state.message, Face::sans, size, room.width() - 6 * em);
    const float half = text_width(line, Face::sans, size) / 2 + 1.2f * em, middle = room.centre().x;
    const Rect at{middle - half, room.y1 - 3.4f * em, middle + half, room.y1 - 1.2f * em};
    bar.picture.fill(at, Ink::panel, 0.5f * em);
    bar.picture.frame(at, Ink::accent, 1.5f, 0.5f * em);
    bar.picture.words({middle, bar.base_line(at, size)}, line, {.size = size, .align = Align::centre});
}

} // namespace headroom
