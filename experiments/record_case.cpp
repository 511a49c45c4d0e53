#include "experiments/record_case.h"

#include "experiments/record_checks.h"
#include "reference/attention/attention.h"
#include <algorithm>
#include <stdexcept>

namespace headroom {
namespace {

// One sequence of a tensor whose first axis is the batch.
Tensor sequence_of(const Tensor& all, Index b)
{
    Shape shape = all.shape();
    shape[0] = 1;
    const auto n = static_cast<std::size_t>(count(shape));
    const std::span<const double> values = all.values().subspan(static_cast<std::size_t>(b) * n, n);
    return Tensor(std::move(shape), {values.begin(), values.end()});
}

// Its columns of keys that are not there are left out.
Tensor stage_of(const Stage& stage, const Tensor& all, Index b, Index keys)
{
    const Tensor whole = sequence_of(all, b);
    if (!stage.axes.ends_with('S') || whole.extent(3) == keys) return whole;
    Tensor seen({1, whole.extent(1), whole.extent(2), keys});
    for (Index h = 0; h < whole.extent(1); ++h)
        for (Index i = 0; i < whole.extent(2); ++i)
            std::ranges::copy(whole.row(0, h, i).first(static_cast<std::size_t>(keys)), seen.row(0, h, i).begin());
    return seen;
}

RecordedLayer layer_of(const AttentionProblem& p, Index b)
{
    const AttentionShape shape = check(p);
    const AttentionStages answer = attention(p);
    const Index keys = p.kv.length[b];
    RecordedLayer layer{.q = sequence_of(load(p.q), b),
                        .new_k = Tensor({1, shape.Hkv, keys, shape.D}),
                        .new_v = Tensor({1, shape.Hkv, keys, shape.Dv}),
                        .key_position = Tensor({1, keys})};
    for (const Stage& stage : stages()) layer.stages.*stage.tensor = stage_of(stage, answer.*stage.tensor, b, keys);
    for (Index j = 0; j < keys; ++j) {
        layer.key_position(0, j) = static_cast<double>(j); // which of the lane's tokens: all of them are here
        const Place at = place(p.kv, b, j);
        for (Index hkv = 0; hkv < shape.Hkv; ++hkv) {
            for (Index d = 0; d < shape.D; ++d) layer.new_k(0, hkv, j, d) = value(p.kv.k, at.block, hkv, at.slot, d);
            for (Index d = 0; d < shape.Dv; ++d) layer.new_v(0, hkv, j, d) = value(p.kv.v, at.block, hkv, at.slot, d);
        }
    }
    return layer;
}

} // namespace

Recording record_case(const Case& from, Index sequence)
{
    const PosedProblem posed(from.recipe);
    const AttentionProblem& p = posed.problem();
    const AttentionShape shape = check(p);
    if (sequence < 0 || sequence >= shape.B) throw std::invalid_argument("'" + from.name + "' has no such sequence");
    const Index keys = p.kv.length[sequence];
    if (keys == 0) throw std::invalid_argument("'" + from.name + "': this sequence has no keys to show");
    Lane lane{.name = "reference",
              .cache = "",
              .detail = "",
              .q_heads = shape.H,
              .geometry = {.layers = 1,
                           .sequences = 1,
                           .kv_heads = shape.Hkv,
                           .head_dim = shape.D,
                           .value_dim = shape.Dv,
                           .type = from.recipe.type},
              .steps = {}};
    RecordedStep step;
    step.added = keys;
    step.counters.live = keys * shape.Hkv * (shape.D + shape.Dv) * byte_size(from.recipe.type);
    step.layers.push_back(layer_of(p, sequence));
    lane.steps.push_back(std::move(step));
    Recording recording{.title = from.name, .command = "", .lanes = {}};
    recording.lanes.push_back(std::move(lane));
    return recording;
}

Recording record_case(std::string_view name, Index sequence)
{
    for (const std::vector<Case>* list : {&example_cases(), &cases()})
        for (const Case& each : *list)
            if (each.name == name) return record_case(each, sequence);
    throw std::invalid_argument("no case is called '" + std::string(name) + "': its problem was not recorded");
}

} // namespace headroom
