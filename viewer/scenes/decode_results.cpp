// The lower part of a Decode panel: softmax weights, a square for each head of a prefill, then rows; and the output.
#include "viewer/scenes/decode_labels.h"
#include "viewer/scenes/decode_maps.h"
#include "viewer/scenes/heat.h"
#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom {
namespace {

// Prefill: a square per head, in a grid.
Rect square(Rect at, std::int32_t h, Index H, float em)
{
    const double wide = std::sqrt(static_cast<double>(H) * at.width() / at.height() * 0.8);
    const int columns = std::max(1, static_cast<int>(std::ceil(wide))),
              rows = (static_cast<int>(H) + columns - 1) / columns;
    const float gap = std::min(0.3f * em, 0.2f * at.height() / static_cast<float>(rows));
    const Rect cell = at.row(h / columns, rows, gap).column(h % columns, columns, gap);
    const float side = std::min(cell.width(), cell.height());
    return {cell.x0, cell.y0, cell.x0 + side, cell.y0 + side};
}

// Decode: a row per head, wide enough for all tokens of the run; the tokens seen so far are in use.
Rect row_until(Picture& picture, const PanelLane& of, Rect at, std::int32_t h, Index seen)
{
    Rect row = at.row(h, static_cast<int>(of.lane.q_heads), 1);
    picture.fill(row, Ink::sunken);
    row.x1 = row.x0 + row.width() * static_cast<float>(seen) / static_cast<float>(of.capacity);
    return row;
}

} // namespace

void draw_decode_results(const DecodePicture& on, const PanelLane& of, LaneMaps& maps, Rect at)
{
    const float em = on.page.em;
    const auto label = [&](const TensorLabel& each) {
        draw_labels(on.picture, {each}, of.lane.name, on.view.language, em);
    };
    Rect labels = at.cut_top(1.5f * em);
    Rect out = at.cut_right(0.31f * at.width());
    at.cut_right(0.06f * at.width());
    const Index H = of.lane.q_heads, L = of.queries, S = of.layer.key_position.extent(1);
    label({{labels.x0, labels.y0, at.x1, labels.y1},
           Words::softmax_weights,
           "w",
           Ink::weights,
           {{"H", H}, {"L", L}, {"S", S}}});
    label({{out.x0, labels.y0, out.x1, labels.y1},
           Words::output,
           "o",
           Ink::output,
           {{"H", H}, {"L", L}, {"Dv", of.lane.geometry.value_dim}}});
    const bool weighed = part_of_progress(on.now.progress, 0.5, 0.75) >= 1, finished = on.now.progress >= 1;
    const auto& weights = of.seen.weights[std::min(on.now.step, of.lane.steps.size() - 1)];
    for (std::int32_t h = 0; h < H; ++h) {
        const Rect where = L > 1 ? square(at, h, H, em) : row_until(on.picture, of, at, h, S);
        if (weighed && !weights.empty()) {
            Heatmap map =
                heat(weights[static_cast<std::size_t>(h)], {0, L, false}, where, on.overview.weights[on.now.step]);
            map.ramp = Ramp::magnitude;
            maps.put(where, std::move(map), {Part::weights, of.number, h, 0, 0}, Ink::weights);
        }
        const Rect row = out.row(h, static_cast<int>(H), 1);
        if (finished && !of.layer.stages.output.empty())
            maps.put(row, heat_row(of.layer.stages.output.row(0, h, of.shown_row), row, on.overview.output),
                     {Part::output, of.number, h, of.shown_row, 0}, Ink::output);
        else
            on.picture.fill(row, Ink::sunken);
    }
}

} // namespace headroom
