#include "reference/tensor/random.h"
#include "reference/verification/cases.h"

#include <algorithm>

namespace headroom {
namespace {

template <class T> T one_of(const std::vector<T>& list, Random& random)
{
    return list[static_cast<std::size_t>(random.integer(0, static_cast<Index>(list.size()) - 1))];
}

} // namespace

Recipe every_feature(const Claims& claims, std::uint64_t seed)
{
    Random random(seed);
    const auto perhaps = [&](bool claimed) { return claimed && random.integer(0, 2) == 0; };
    Recipe r;
    r.seed = random.bits();

    // Sizes.
    r.B = random.integer(1, 3);
    r.Hkv = random.integer(1, 3);
    r.H = r.Hkv * random.integer(1, claims.largest_group ? std::min<Index>(claims.largest_group, 9) : 9);
    r.L = random.integer(1, claims.most_queries ? std::min<Index>(claims.most_queries, 40) : 40);
    r.S = random.integer(1, 90);
    r.D = claims.head_dims.empty() ? random.integer(1, 130) : one_of(claims.head_dims, random);
    r.Dv = perhaps(claims.value_dim_differs) ? random.integer(1, 130) : r.D;
    r.type = claims.kv_types.empty() ? one_of<DType>({DType::f32, DType::f16, DType::bf16}, random)
                                     : one_of(claims.kv_types, random);
    const bool eight_bit = byte_size(r.type) == 1;
    r.q_type = !eight_bit ? r.type : claims.q_types.empty() ? DType::f32 : one_of(claims.q_types, random);
    if (eight_bit && claims.scales) r.scaling = Scaling::per_head_and_token;

    // Which keys there are, and which of them a query sees.
    if (claims.ragged)
        for (Index b = 0; b < r.B; ++b) r.lengths.push_back(random.integer(0, r.S));
    if (perhaps(claims.block_table)) r.block = one_of<Index>({1, 4, 16, 64}, random);
    AttentionOptions& o = r.options;
    if (claims.causal)
        o.causal = one_of<Causal>({Causal::none, Causal::bottom_right, Causal::top_left}, random);
    else
        o.causal = Causal::none;
    if (o.causal == Causal::top_left && !claims.top_left) o.causal = Causal::bottom_right;
    if (o.causal != Causal::none && perhaps(claims.window)) {
        o.window = random.integer(1, 40);
        if (perhaps(claims.sinks)) o.sinks = random.integer(1, 6);
        if (perhaps(claims.eviction) && o.causal == Causal::bottom_right) {
            r.kept_first = std::min(o.sinks, r.S);
            for (Index b = 0; b < r.B; ++b) r.evicted.push_back(random.integer(0, 50));
        }
    }

    // What happens to a score.
    if (perhaps(true)) o.scale = random.uniform(0.05, 0.4);
    if (perhaps(claims.soft_cap)) o.soft_cap = random.uniform(2, 20);
    r.bias = perhaps(claims.bias);
    r.mask = perhaps(claims.mask);
    r.sink_logits = perhaps(claims.sink_logits);
    return r;
}

} // namespace headroom
