#include "viewer/scenes/explain.h"

#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace headroom {
namespace {

const RecordedLayer& layer_of(const Recording& recording, std::size_t step, const Cell& cell)
{
    return recording.lanes.at(static_cast<std::size_t>(cell.lane)).steps.at(step).layers.at(0);
}

// Column j of the scores holds the key of this position; its row among all tokens so far is the same number.
Index token_at(const RecordedLayer& layer, Index j) { return static_cast<Index>(layer.key_position(0, j)); }

void demand(bool inside)
{
    if (!inside) throw std::out_of_range("the recording has no such cell");
}

Explanation of_output(const Lane& lane, std::size_t step, const RecordedLayer& layer, const Cell& c)
{
    const Tensor& output = layer.stages.output;
    demand(c.head >= 0 && c.head < output.extent(1) && c.row >= 0 && c.row < output.extent(2) && c.column >= 0 &&
           c.column < output.extent(3));
    const Tensor values = values_until(lane, step, 0);
    const Index hkv = c.head / (lane.q_heads / lane.geometry.kv_heads);
    Explanation e;
    e.number = output(0, c.head, c.row, c.column);
    e.name = fmt::format("output[h {}, d {}]", c.head, c.column);
    e.formula = "Σ_j weights[h, j] · v[hkv, j, d]";
    for (Index j = 0; j < layer.stages.weights.extent(3); ++j) {
        const double weight = layer.stages.weights(0, c.head, c.row, j);
        if (weight == 0) continue;
        const auto token = static_cast<std::int32_t>(token_at(layer, j));
        const double value = values(0, hkv, token, c.column);
        e.terms.push_back({{Part::v, c.lane, static_cast<std::int32_t>(hkv), token, c.column}, weight, value});
        e.sum += weight * value;
    }
    return e;
}

Explanation of_weight(const Lane& lane, std::size_t step, const RecordedLayer& layer, const Cell& c)
{
    const AttentionStages& s = layer.stages;
    demand(c.head >= 0 && c.head < s.weights.extent(1) && c.row >= 0 && c.row < s.weights.extent(2) && c.column >= 0 &&
           c.column < s.weights.extent(3));
    const Tensor keys = keys_until(lane, step, 0);
    const Index hkv = c.head / (lane.q_heads / lane.geometry.kv_heads), D = layer.q.extent(3);
    const auto token = static_cast<std::int32_t>(token_at(layer, c.column));
    Explanation e;
    e.number = s.weights(0, c.head, c.row, c.column);
    e.name = fmt::format("weights[h {}, token {}]", c.head, token);
    e.formula = "exp(score − max) / sum,  score = scale Σ_d q · k";
    for (Index d = 0; d < D; ++d) {
        const double q = layer.q(0, c.head, c.row, d), k = keys(0, hkv, token, d);
        e.terms.push_back(
            {{Part::k, c.lane, static_cast<std::int32_t>(hkv), token, static_cast<std::int32_t>(d)}, q, k});
        e.sum += q * k;
    }
    const double score = s.masked_scores(0, c.head, c.row, c.column);
    e.details = {{.what = "score", .number = score},
                 {.what = "max", .number = s.row_max(0, c.head, c.row)},
                 {.what = "sum", .number = s.row_sum(0, c.head, c.row)}};
    return e;
}

Explanation of_stored(const Lane& lane, const Tensor& stored, std::string_view tensor, const Cell& c)
{
    demand(c.head >= 0 && c.head < stored.extent(1) && c.row >= 0 && c.row < stored.extent(2) && c.column >= 0 &&
           c.column < stored.extent(3));
    Explanation e;
    e.number = stored(0, c.head, c.row, c.column);
    e.name = fmt::format("{}[h {}, token {}, d {}]", tensor, c.head, c.row, c.column);
    e.shared_by = lane.q_heads / lane.geometry.kv_heads;
    return e;
}

} // namespace

Explanation explain(const Recording& recording, std::size_t step, const Cell& c)
{
    const Lane& lane = recording.lanes.at(static_cast<std::size_t>(c.lane));
    const RecordedLayer& layer = layer_of(recording, step, c);
    switch (c.part) {
    case Part::output: return of_output(lane, step, layer, c);
    case Part::weights: return of_weight(lane, step, layer, c);
    case Part::k: return of_stored(lane, keys_until(lane, step, 0), "k", c);
    case Part::v: return of_stored(lane, values_until(lane, step, 0), "v", c);
    case Part::q: {
        Explanation e = of_stored(lane, layer.q, "q", c);
        e.name = fmt::format("q[h {}, d {}]", c.head, c.column);
        e.shared_by = 0;
        return e;
    }
    default: throw std::out_of_range("the recording has no such cell");
    }
}

bool lights_up(const Recording& recording, const Cell& chosen, const Cell& other)
{
    if (chosen.part == Part::none || chosen.lane != other.lane) return false;
    const Lane& lane = recording.lanes.at(static_cast<std::size_t>(chosen.lane));
    const auto group = static_cast<std::int32_t>(lane.q_heads / lane.geometry.kv_heads);
    const bool chosen_is_stored = chosen.part == Part::k || chosen.part == Part::v;
    const bool other_is_stored = other.part == Part::k || other.part == Part::v;
    const std::int32_t chosen_hkv = chosen_is_stored ? chosen.head : chosen.head / group;
    const std::int32_t other_hkv = other_is_stored ? other.head : other.head / group;
    if (chosen_hkv != other_hkv) return false;
    if (chosen_is_stored) return other.part == Part::q || other == chosen; // every query head that shares it
    if (!other_is_stored && other.head != chosen.head) return false;       // another query head's numbers
    switch (chosen.part) {
    case Part::output:
        if (other.part == Part::output) return other.row == chosen.row && other.column == chosen.column;
        if (other.part == Part::v) return other.column == chosen.column;
        return other.part == Part::k ||
               ((other.part == Part::weights || other.part == Part::q) && other.row == chosen.row);
    case Part::weights:
        if (other.part == Part::weights) return other.row == chosen.row && other.column == chosen.column;
        if (other.part == Part::k) return other.row == chosen.column;
        return other.part == Part::q && other.row == chosen.row;
    default: return other == chosen;
    }
}

} // namespace headroom
