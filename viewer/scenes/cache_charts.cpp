// What each kind of cache holds, and what each step copies, over all steps.
#include "viewer/scenes/cache_page.h"
#include "viewer/scenes/chart.h"
#include <algorithm>

namespace headroom {
namespace {

using Number = double (*)(const KvCounters&);

void chart(const CachePicture& on, Rect at, Words title, Number number, bool with_legend)
{
    Picture& picture = on.picture;
    const float em = on.page.em;
    Rect room = panel(picture, at, em);
    picture.words({room.x0, room.y0 + 0.8f * em},
                  shorten(words(title, on.view.language), Face::sans, on.page.small.size, room.width()), on.page.small);
    room.cut_top(1.9f * em);
    Rect names = with_legend ? room.cut_right(9.5f * em) : Rect{};
    names.cut_left(em);
    room.cut_left(4.6f * em);
    double most = 1;
    for (const Lane& lane : on.lanes)
        for (const RecordedStep& step : lane.steps) most = std::max(most, number(step.counters));
    const Scale x{.least = 0,
                  .most = static_cast<double>(std::max<std::size_t>(2, on.steps) - 1),
                  .from = room.x0,
                  .to = room.x1},
        y{.least = 0, .most = most, .from = room.y1, .to = room.y0};
    rules_of_y(picture, room, y, Unit::bytes, em);
    for (std::size_t i = 0; i < on.lanes.size(); ++i) {
        std::vector<Point> past, to_come;
        for (std::size_t s = 0; s < on.lanes[i].steps.size(); ++s) {
            const Point point{x.at(static_cast<double>(s)), y.at(number(on.lanes[i].steps[s].counters))};
            if (s <= on.now.step) past.push_back(point);
            if (s >= on.now.step) to_come.push_back(point);
        }
        curve_through(picture, past, look_of(i), 2);
        curve_through(picture, to_come, look_of(i), 2, 0.25f);
        if (with_legend) legend_line(picture, names.cut_top(1.25f * em), look_of(i), on.lanes[i].name, 0.94f * em);
    }
    const float now = x.at(static_cast<double>(on.now.step));
    picture.line({now, room.y0}, {now, room.y1}, Ink::faint, 1);
}

} // namespace

void draw_cache_charts(const CachePicture& on, Rect at)
{
    chart(
        on, at.column(0, 2, 0.8f * on.page.em), Words::reserved_over_steps,
        [](const KvCounters& c) { return static_cast<double>(c.reserved); }, true);
    chart(
        on, at.column(1, 2, 0.8f * on.page.em), Words::copied_over_steps,
        [](const KvCounters& c) { return static_cast<double>(c.copied); }, false);
}

} // namespace headroom
