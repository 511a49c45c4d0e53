#include "viewer/scenes/explain.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <stdexcept>

namespace headroom {
namespace {

const RecordedLayer& layer_of(const Recording& recording, std::size_t step, const Cell& cell)
{
    return recording.lanes.at(static_cast<std::size_t>(cell.lane)).steps.at(step).layers.at(0);
}

// Column j of the scores holds the key of this position; its row among all tokens so far is the same number.
void demand(bool inside)
{
    if (!inside) throw std::out_of_range("the recording has no such cell");
}

std::int32_t token_at(const RecordedLayer& layer, const StoredTokens& stored, Index j)
{
    const double position = layer.key_position(0, j);
    demand(position >= 0 && position < static_cast<double>(stored.tokens()));
    return static_cast<std::int32_t>(position);
}

Explanation of_output(const Lane& lane, std::size_t step, const RecordedLayer& layer, const Cell& c)
{
    const Tensor& output = layer.stages.output;
    demand(c.head >= 0 && c.head < output.extent(1) && c.row >= 0 && c.row < output.extent(2) && c.column >= 0 &&
           c.column < output.extent(3));
    const StoredTokens stored(lane, 0, step);
    const Index hkv = c.head / (lane.q_heads / lane.geometry.kv_heads);
    Explanation e;
    e.number = output(0, c.head, c.row, c.column);
    e.name = fmt::format("output[h {}, d {}]", c.head, c.column);
    e.formula = "Σ_j weights[h, j] · v[hkv, j, d]";
    for (Index j = 0; j < layer.stages.weights.extent(3); ++j) {
        const double weight = layer.stages.weights(0, c.head, c.row, j);
        if (weight == 0) continue;
        const auto token = token_at(layer, stored, j);
        const double value = stored.value(0, hkv, token)[static_cast<std::size_t>(c.column)];
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
    const StoredTokens stored(lane, 0, step);
    const Index hkv = c.head / (lane.q_heads / lane.geometry.kv_heads), D = layer.q.extent(3);
    const auto token = token_at(layer, stored, c.column);
    Explanation e;
    e.number = s.weights(0, c.head, c.row, c.column);
    e.name = fmt::format("weights[h {}, token {}]", c.head, token);
    e.formula = "exp(score − max) / sum,  score = scale Σ_d q · k";
    const std::span<const double> key = stored.key(0, hkv, token);
    for (Index d = 0; d < D; ++d) {
        const double q = layer.q(0, c.head, c.row, d), k = key[static_cast<std::size_t>(d)];
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

Explanation of_stored(const Lane& lane, std::size_t step, const Cell& c)
{
    const StoredTokens stored(lane, 0, step);
    demand(c.head >= 0 && c.head < lane.geometry.kv_heads && c.row >= 0 && c.row < stored.tokens());
    const bool is_key = c.part == Part::k;
    const std::span<const double> row = is_key ? stored.key(0, c.head, c.row) : stored.value(0, c.head, c.row);
    demand(c.column >= 0 && c.column < static_cast<Index>(row.size()));
    Explanation e;
    e.number = row[static_cast<std::size_t>(c.column)];
    e.name = fmt::format("{}[h {}, token {}, d {}]", is_key ? "k" : "v", c.head, c.row, c.column);
    e.shared_by = lane.q_heads / lane.geometry.kv_heads;
    return e;
}

Explanation of_query(const RecordedLayer& layer, const Cell& c)
{
    demand(c.head >= 0 && c.head < layer.q.extent(1) && c.row >= 0 && c.row < layer.q.extent(2) && c.column >= 0 &&
           c.column < layer.q.extent(3));
    Explanation e;
    e.number = layer.q(0, c.head, c.row, c.column);
    e.name = fmt::format("q[h {}, d {}]", c.head, c.column);
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
    case Part::k:
    case Part::v: return of_stored(lane, step, c);
    case Part::q: return of_query(layer, c);
    default: throw std::out_of_range("the recording has no such cell");
    }
}

std::optional<CellRange> lit(const Recording& recording, const Cell& chosen, Part part, std::int32_t lane,
                             std::int32_t head)
{
    constexpr std::int32_t all = std::numeric_limits<std::int32_t>::max();
    if (names_tensor(chosen)) return part == chosen.part ? std::optional(CellRange{0, all, 0, all}) : std::nullopt;
    if (chosen.part == Part::none || chosen.lane != lane) return std::nullopt;
    const Lane& l = recording.lanes.at(static_cast<std::size_t>(chosen.lane));
    const auto group = static_cast<std::int32_t>(l.q_heads / l.geometry.kv_heads);
    const auto is_stored = [](Part p) { return p == Part::k || p == Part::v; };
    const auto kv_head = [&](Part p, std::int32_t h) { return is_stored(p) ? h : h / group; };
    if (kv_head(chosen.part, chosen.head) != kv_head(part, head)) return std::nullopt;

    const CellRange itself{chosen.row, chosen.row + 1, chosen.column, chosen.column + 1};
    const CellRange its_row{chosen.row, chosen.row + 1, 0, all};
    if (part == chosen.part) return head == chosen.head ? std::optional(itself) : std::nullopt;
    if (is_stored(chosen.part)) // every query head that shares it
        return part == Part::q ? std::optional(CellRange{0, all, 0, all}) : std::nullopt;
    if (!is_stored(part) && head != chosen.head) return std::nullopt; // another query head's numbers
    if (chosen.part == Part::output) {
        if (part == Part::v) return CellRange{0, all, chosen.column, chosen.column + 1};
        if (part == Part::k) return CellRange{0, all, 0, all};
        if (part == Part::weights || part == Part::q) return its_row;
    }
    if (chosen.part == Part::weights) {
        if (part == Part::k) return CellRange{chosen.column, chosen.column + 1, 0, all};
        if (part == Part::q) return its_row;
    }
    return std::nullopt;
}

bool lights_up(const Recording& recording, const Cell& chosen, const Cell& other)
{
    const auto range = lit(recording, chosen, other.part, other.lane, other.head);
    return range && range->contains(other.row, other.column);
}

} // namespace headroom
