#include "viewer/scenes/magnitudes.h"

#include <algorithm>
#include <cmath>

namespace headroom {

Magnitudes::Magnitudes(Index rows, Index columns, const std::function<double(Index, Index)>& number)
    : rows_(rows), columns_(columns)
{
    Level finest{rows, columns, {}};
    finest.largest.reserve(static_cast<std::size_t>(rows * columns));
    for (Index r = 0; r < rows; ++r)
        for (Index c = 0; c < columns; ++c) {
            const double x = number(r, c);
            finest.largest.push_back(std::isnan(x) ? -1.0f : static_cast<float>(std::fabs(x)));
        }
    levels_.push_back(std::move(finest));
    while (levels_.back().rows > 1 && levels_.back().columns > 1) {
        const Level& fine = levels_.back();
        Level coarse{(fine.rows + 1) / 2, (fine.columns + 1) / 2, {}};
        coarse.largest.assign(static_cast<std::size_t>(coarse.rows * coarse.columns), -1.0f);
        for (Index r = 0; r < fine.rows; ++r)
            for (Index c = 0; c < fine.columns; ++c) {
                float& block = coarse.largest[static_cast<std::size_t>(r / 2 * coarse.columns + c / 2)];
                block = std::max(block, fine.largest[static_cast<std::size_t>(r * fine.columns + c)]);
            }
        levels_.push_back(std::move(coarse));
    }
}

float Magnitudes::largest(Index row0, Index row1, Index column0, Index column1) const
{
    row1 = std::min(row1, rows_);
    column1 = std::min(column1, columns_);
    std::size_t level = 0;
    while (level + 1 < levels_.size() && (Index{2} << level) <= std::min(row1 - row0, column1 - column0)) ++level;
    return within(level, row0, row1, column0, column1);
}

// Whole blocks of this level, then what is left below and beside them in finer ones.
float Magnitudes::within(std::size_t level, Index row0, Index row1, Index column0, Index column1) const
{
    if (row0 >= row1 || column0 >= column1) return -1;
    const Index size = Index{1} << level;
    const auto up = [&](Index x) { return (x + size - 1) >> level; };
    const auto down = [&](Index x, Index end) { return x == end ? up(x) : x >> level; };
    const Index r0 = up(row0), r1 = down(row1, rows_), c0 = up(column0), c1 = down(column1, columns_);
    float most = -1;
    if (r0 >= r1 || c0 >= c1) return level ? within(level - 1, row0, row1, column0, column1) : most;
    const Level& blocks = levels_[level];
    for (Index r = r0; r < r1; ++r)
        for (Index c = c0; c < c1; ++c)
            most = std::max(most, blocks.largest[static_cast<std::size_t>(r * blocks.columns + c)]);
    const bool whole = r0 << level == row0 && c0 << level == column0 && (r1 == up(row1)) && (c1 == up(column1));
    if (level == 0 || whole) return most;
    most = std::max(most, within(level - 1, row0, std::min(row1, r0 * size), column0, column1));
    most = std::max(most, within(level - 1, std::max(row0, r1 * size), row1, column0, column1));
    most =
        std::max(most, within(level - 1, r0 * size, std::min(row1, r1 * size), column0, std::min(column1, c0 * size)));
    return std::max(most,
                    within(level - 1, r0 * size, std::min(row1, r1 * size), std::max(column0, c1 * size), column1));
}

namespace {

double largest(const Tensor& tensor)
{
    double most = 0;
    for (const double x : tensor.values()) most = std::max(most, std::fabs(x));
    return most;
}

Overview::OfLane of_lane(const Lane& lane)
{
    Overview::OfLane seen;
    const StoredTokens stored(lane, 0, lane.steps.size() - 1);
    for (Index hkv = 0; hkv < lane.geometry.kv_heads; ++hkv) {
        const auto key = [&](Index t, Index d) { return stored.key(0, hkv, t)[static_cast<std::size_t>(d)]; };
        const auto value = [&](Index t, Index d) { return stored.value(0, hkv, t)[static_cast<std::size_t>(d)]; };
        seen.keys.emplace_back(stored.tokens(), lane.geometry.head_dim, key);
        seen.values.emplace_back(stored.tokens(), lane.geometry.value_dim, value);
    }
    for (const RecordedStep& step : lane.steps) {
        const AttentionStages& stages = step.layers.at(0).stages;
        std::vector<Magnitudes>& heads = seen.weights.emplace_back();
        if (stages.weights.empty()) continue;
        for (Index h = 0; h < lane.q_heads; ++h)
            heads.emplace_back(stages.weights.extent(2), stages.weights.extent(3), [&](Index i, Index j) {
                const bool hidden = !stages.masked_scores.empty() && std::isinf(stages.masked_scores(0, h, i, j));
                return hidden ? std::nan("") : stages.weights(0, h, i, j);
            });
    }
    return seen;
}

} // namespace

std::shared_ptr<const Overview> overview(const Recording& recording)
{
    auto seen = std::make_shared<Overview>();
    seen->of = &recording;
    double q = 0, k = 0, v = 0, output = 0;
    for (const Lane& lane : recording.lanes) {
        const bool every_number =
            std::ranges::none_of(lane.steps, [](const RecordedStep& s) { return s.layers.empty(); });
        seen->lanes.push_back(every_number && !lane.steps.empty() ? of_lane(lane) : Overview::OfLane{});
        for (std::size_t s = 0; s < lane.steps.size(); ++s) {
            if (seen->weights.size() <= s) seen->weights.push_back(1e-9);
            if (lane.steps[s].layers.empty()) continue;
            const RecordedLayer& layer = lane.steps[s].layers[0];
            q = std::max(q, largest(layer.q));
            k = std::max(k, largest(layer.new_k));
            v = std::max(v, largest(layer.new_v));
            output = std::max(output, largest(layer.stages.output));
            seen->weights[s] = std::max(seen->weights[s], largest(layer.stages.weights));
        }
    }
    seen->models = planned_models(recording);
    for (const RecordedCheck& check : recording.checks) {
        std::vector<StageErrors>& errors = seen->errors.emplace_back();
        std::vector<Magnitudes>& maps = seen->error_maps.emplace_back();
        for (const RecordedStage& stage : check.stages) {
            const StageErrors& e = errors.emplace_back(errors_of(stage));
            maps.emplace_back(e.rows, e.columns,
                              [&](Index r, Index c) { return e.is_equal(r, c) ? std::nan("") : e.error(r, c); });
        }
        seen->nearness.push_back(part_of_bound(check, errors));
    }
    for (const TracedStep& kernel : recording.kernels) seen->kernels.push_back(kernel_index(kernel));
    const auto or_one = [](double most) { return most > 0 && std::isfinite(most) ? most : 1; };
    seen->q = or_one(q), seen->k = or_one(k), seen->v = or_one(v), seen->output = or_one(output);
    return seen;
}

std::shared_ptr<const Overview> overview(const Recording& recording, const View& view)
{
    return view.overview && view.overview->of == &recording ? view.overview : overview(recording);
}

} // namespace headroom
