#include "experiments/record_lockstep.h"

#include "reference/attention/attention.h"
#include "reference/recording/recorded.h"
#include "reference/tensor/random.h"
#include <algorithm>
#include <stdexcept>
#include <utility>

namespace headroom {
namespace {

Tensor shared_heads(const Tensor& heads, Index kv_heads) // [1, H, T, D] -> [1, kv_heads, T, D]
{
    const Index group_size = heads.extent(1) / kv_heads;
    Tensor kept({1, kv_heads, heads.extent(2), heads.extent(3)});
    for (Index hkv = 0; hkv < kv_heads; ++hkv)
        for (Index i = 0; i < heads.extent(2); ++i)
            std::ranges::copy(heads.row(0, hkv * group_size, i), kept.row(0, hkv, i).begin());
    return kept;
}

Tensor tokens(const Tensor& all, Index from, Index n)
{
    Tensor some({1, all.extent(1), n, all.extent(3)});
    for (Index h = 0; h < all.extent(1); ++h)
        for (Index i = 0; i < n; ++i) std::ranges::copy(all.row(0, h, from + i), some.row(0, h, i).begin());
    return some;
}

} // namespace

Recording record_lockstep(const RecordLockstepSettings& s)
{
    if (s.q_heads < 1 || s.head_dim < 1 || s.prompt < 1 || s.steps < 0)
        throw std::invalid_argument("heads, head_dim and prompt must be at least 1, steps at least 0");
    const Index T = s.prompt + s.steps;
    Random random(s.seed);
    const Tensor q = random_normal({1, s.q_heads, T, s.head_dim}, random);
    const Tensor k = random_normal({1, s.q_heads, T, s.head_dim}, random);
    const Tensor v = random_normal({1, s.q_heads, T, s.head_dim}, random);

    Recording recording{.title = "MHA, GQA and MQA in lockstep", .command = "", .lanes = {}};
    for (const auto& [name, kv_heads] : s.lanes) {
        if (kv_heads < 1 || s.q_heads % kv_heads != 0)
            throw std::invalid_argument("lane '" + name + "': " + std::to_string(s.q_heads) +
                                        " query heads are not a multiple of " + std::to_string(kv_heads) + " KV heads");
        const KvGeometry geometry{.layers = 1,
                                  .sequences = 1,
                                  .kv_heads = kv_heads,
                                  .head_dim = s.head_dim,
                                  .value_dim = s.head_dim,
                                  .type = s.kv_type};
        const auto cache = cache_kind(s.cache).make(geometry, {.max_length = T, .initial = std::min<Index>(T, 8)});
        const Tensor lane_k = shared_heads(k, kv_heads), lane_v = shared_heads(v, kv_heads);
        Lane lane{
            .name = name, .cache = s.cache, .detail = "", .q_heads = s.q_heads, .geometry = geometry, .steps = {}};
        for (Index past = 0; past < T;) {
            RecordedStep step;
            step.past = past;
            step.added = past == 0 ? s.prompt : 1;
            cache->append(tokens(lane_k, past, step.added), tokens(lane_v, past, step.added));
            const Tensor new_q = tokens(q, past, step.added);
            recorded(attention, step.layers, {0})({.q = view(new_q), .kv = cache->view(0), .options = {}});
            record_slots(cache->view(0), step);
            step.counters = cache->counters();
            step.events = cache->take_events();
            past += step.added;
            lane.steps.push_back(std::move(step));
        }
        recording.lanes.push_back(std::move(lane));
    }
    return recording;
}

} // namespace headroom
