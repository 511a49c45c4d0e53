// Where does the token go? The memory of every kind of cache, slot by slot, and beside it what it costs.
#include "viewer/scenes/cache_memory.h"
#include "viewer/scenes/cache_page.h"
#include "viewer/scenes/cache_table.h"
#include "viewer/scenes/legend.h"
#include <algorithm>

namespace headroom {
namespace {

double bytes_of_slot(const RecordedStep& step)
{
    return step.slots > 0 ? static_cast<double>(step.counters.reserved) / static_cast<double>(step.slots) : 0;
}

void legend(const CachePicture& on, Point at)
{
    Picture& picture = on.picture;
    LegendRow row(picture, at, on.page.em, on.view.language);
    const auto boxed = [&](Ink inside, Ink edge) {
        return [&picture, inside, edge](Rect r) {
            picture.fill(r, inside, 2);
            picture.frame(r, edge, 2, 2);
        };
    };
    row.entry(Words::kept, [&](Rect r) { picture.fill(r, Ink::k, 2); });
    row.entry(Words::written_now, boxed(Ink::v, Ink::ink));
    row.entry(Words::copied_now, [&](Rect r) { picture.fill(r, Ink::q, 2); });
    row.entry(Words::reserved_unused, [&](Rect r) {
        picture.hatch(r, Ink::faint);
        picture.frame(r, Ink::rule);
    });
    row.entry(Words::forgotten, [&](Rect r) {
        boxed(Ink::v, Ink::warning)(r);
        cross_out(picture, r);
    });
}

} // namespace

void draw_cache_lanes(const CachePicture& on, Rect at)
{
    Picture& picture = on.picture;
    const float em = on.page.em;
    Rect room = panel(picture, at, em);
    Rect names = room.cut_left(0.16f * room.width()), table = room.cut_right(0.43f * room.width());
    room.cut_right(em);
    const float head_line = room.y0 + 0.9f * em;
    picture.words(
        {names.x0, head_line},
        shorten(words(Words::where_does_it_go, on.view.language), Face::bold, on.page.heading.size, room.x1 - names.x0),
        on.page.heading);
    const Rect legend_row = room.cut_bottom(2 * em);
    draw_table_head(picture, table, head_line, on.view.language, em);

    Index most_slots = 1;
    double most_bytes = 0;
    for (const Lane& lane : on.lanes)
        for (const RecordedStep& step : lane.steps) {
            most_slots = std::max(most_slots, step.slots);
            most_bytes = std::max(most_bytes, bytes_of_slot(step));
        }
    const Rect rows{room.x0, room.y0 + 1.5f * em, room.x1, room.y1};
    const int n = static_cast<int>(on.lanes.size());
    for (int i = 0; i < n; ++i) {
        const Lane& lane = on.lanes[static_cast<std::size_t>(i)];
        if (lane.steps.empty()) continue;
        const RecordedStep& step = lane.steps[on.step_of(lane)];
        const Rect row = rows.row(i, n, 0.3f * em);
        const float middle = row.centre().y, room_for_name = names.width() - 0.5f * em;
        const float name_line = lane.detail.empty() ? middle + 0.35f * em : middle;
        picture.words({names.x0, name_line}, shorten(lane.name, Face::sans, em, room_for_name), on.page.text);
        picture.words({names.x0, middle + 1.1f * em},
                      shorten(translated(lane.detail, on.view.language), Face::sans, 0.75f * em, room_for_name),
                      {.ink = Ink::muted, .size = 0.75f * em});
        draw_slots(picture, row,
                   {lane, i, on.step_of(lane), most_slots, most_bytes > 0 ? bytes_of_slot(step) / most_bytes : 1,
                    on.now.progress},
                   em);
        draw_table_row(picture, table, middle + 0.35f * em, lane, step, em);
    }
    legend(on, {names.x0, legend_row.y1 - 0.5f * em});
}

} // namespace headroom
