#include "viewer/scenes/decode_maps.h"

#include "viewer/scenes/explain.h"
#include <algorithm>
#include <utility>

namespace headroom {

const RecordedStep& step_of(const Lane& lane, Moment now)
{
    return lane.steps.at(std::min(now.step, lane.steps.size() - 1));
}

PanelLane panel_lane(const DecodePicture& on, std::size_t number)
{
    const Lane& lane = on.recording.lanes[number];
    const RecordedStep& step = step_of(lane, on.now);
    PanelLane of{.lane = lane,
                 .number = static_cast<std::int32_t>(number),
                 .step = step,
                 .layer = step.layers[0],
                 .seen = on.overview.lanes[number],
                 .queries = queries_of(step)};
    for (const RecordedStep& each : lane.steps) of.capacity += each.added;
    const Cell chosen = on.view.chosen();
    const bool names_a_row = chosen.part == Part::weights || chosen.part == Part::output || chosen.part == Part::q;
    of.shown_row = names_a_row && chosen.lane == of.number ? chosen.row : static_cast<std::int32_t>(of.queries) - 1;
    return of;
}

float part_of_progress(double progress, double from, double to)
{
    return static_cast<float>(std::clamp((progress - from) / (to - from), 0.0, 1.0));
}

void LaneMaps::put(Rect at, Heatmap map, Cell first, Ink ink)
{
    const Cell chosen = on_.view.chosen();
    map.first = first;
    map.ink = ink;
    coarsest_ = std::max(coarsest_, Index{map.row_stride} * map.column_stride);
    if (chosen.part == Part::none) {
        on_.picture.heatmap(at, std::move(map));
        return;
    }
    const auto range = lit(on_.recording, chosen, first.part, first.lane, first.head);
    PartOfMap part = range ? part_of(map, at, *range) : PartOfMap{};
    on_.picture.heatmap(at, std::move(map)).opacity = 0.3f;
    if (part.map.position.empty()) return;
    const Rect box = part.at;
    on_.picture.heatmap(box, std::move(part.map));
    if (names_tensor(chosen)) return;
    on_.picture.frame(box.inset(-1), Ink::ink, 1.5f);
}

} // namespace headroom
