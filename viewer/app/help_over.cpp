// The keys, all of them, over the scene; and the way into the guided walk.
#include "viewer/app/bars.h"
#include "viewer/app/keymap.h"

namespace headroom {

void help_over(BarPainter& bar, Rect all)
{
    const float em = bar.em;
    bar.picture.fill(all, Ink::paper).opacity = 0.82f;
    bar.spots.push_back({all, {Act::help}}); // a click beside it closes it
    const std::vector<KeyLine>& lines = key_lines();
    const int rows = static_cast<int>(lines.size() + 1) / 2;
    const float wide = std::min(66 * em, all.width() - 4 * em), high = static_cast<float>(rows) * 2.1f * em + 9.6f * em;
    const Point middle = all.centre();
    const Rect card{middle.x - wide / 2, middle.y - high / 2, middle.x + wide / 2, middle.y + high / 2};
    bar.picture.fill(card, Ink::panel, 0.8f * em);
    bar.picture.frame(card, Ink::rule, 1, 0.8f * em);
    bar.spots.push_back({card, {Act::help}});

    Rect inside = card.inset(2 * em, 1.6f * em);
    bar.picture.words({inside.x0, inside.y0 + 1.1f * em}, bar.say(Words::keys),
                      {.size = 1.4f * em, .face = Face::bold});
    inside.cut_top(2.4f * em);
    Rect foot = inside.cut_bottom(3.4f * em);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Rect column = inside.column(static_cast<int>(i) / rows, 2, 2 * em);
        const float y = column.y0 + (static_cast<float>(static_cast<int>(i) % rows) + 0.75f) * 2.1f * em;
        const float keys = text_width(lines[i].keys, Face::mono, 0.85f * em);
        const Rect cap{column.x0, y - 1.05f * em, column.x0 + keys + em, y + 0.45f * em};
        bar.picture.fill(cap, Ink::sunken, 0.3f * em);
        bar.picture.frame(cap, Ink::rule, 1, 0.3f * em);
        bar.picture.words({cap.x0 + 0.5f * em, y}, lines[i].keys, {.size = 0.85f * em, .face = Face::mono});
        const float x = column.x0 + 8 * em;
        bar.picture.words({x, y}, shorten(bar.say(lines[i].does), Face::sans, 0.95f * em, column.x1 - x),
                          {.size = 0.95f * em});
    }
    const BarPainter::Look look{.active = true, .size = 1};
    const std::string_view walk = bar.say(Words::guided_walk);
    Rect row = foot.cut_bottom(2.2f * em);
    bar.button(row.cut_left(bar.width_of(walk, look) + em), walk, {Act::walk}, look);
    row.cut_left(em);
    bar.picture.words({row.x0, bar.base_line(row, 0.9f * em)},
                      shorten(bar.say(Words::help_hint), Face::sans, 0.9f * em, row.width()),
                      {.ink = Ink::muted, .size = 0.9f * em});
}

} // namespace headroom
