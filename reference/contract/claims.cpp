#include "reference/contract/claims.h"

#include <algorithm>

namespace headroom {
namespace {

template <class T> bool within(const std::vector<T>& list, const T& value)
{
    return list.empty() || std::ranges::count(list, value);
}

bool is_ragged(const AttentionProblem& problem, const AttentionShape& shape)
{
    for (Index b = 0; b < shape.B; ++b) {
        if (problem.kv.length[b] != shape.S) return true;
        if (problem.query_length && problem.query_length[b] != shape.L) return true;
    }
    return false;
}

} // namespace

Claims every_claim()
{
    return {.causal = true,
            .top_left = true,
            .window = true,
            .sinks = true,
            .soft_cap = true,
            .bias = true,
            .mask = true,
            .sink_logits = true,
            .ragged = true,
            .block_table = true,
            .eviction = true,
            .scales = true,
            .value_dim_differs = true};
}

std::string why_not(const Claims& claims, const AttentionProblem& problem)
{
    const AttentionShape shape = check(problem);
    const AttentionOptions& options = problem.options;
    const KvView& kv = problem.kv;
    if (!within(claims.kv_types, kv.k.type)) return "it does not read " + std::string(name(kv.k.type)) + " keys";
    if (!within(claims.kv_types, kv.v.type)) return "it does not read " + std::string(name(kv.v.type)) + " values";
    if (!within(claims.q_types, problem.q.type))
        return "it does not read " + std::string(name(problem.q.type)) + " queries";
    if (!within(claims.head_dims, shape.D)) return "head_dim " + std::to_string(shape.D) + " is not among its sizes";
    if (claims.most_queries && shape.L > claims.most_queries)
        return "it takes at most " + std::to_string(claims.most_queries) + " new tokens, not " +
               std::to_string(shape.L);
    if (claims.largest_group && shape.group_size() > claims.largest_group)
        return "its largest group_size is " + std::to_string(claims.largest_group) + ", not " +
               std::to_string(shape.group_size());
    if (!claims.value_dim_differs && shape.Dv != shape.D) return "it needs values as wide as keys";
    if (!claims.causal && options.causal != Causal::none) return "it has no causal mask";
    if (!claims.top_left && options.causal == Causal::top_left) return "it does not align top-left";
    if (!claims.window && options.window) return "it has no window";
    if (!claims.sinks && options.sinks) return "it keeps no sink tokens";
    if (!claims.soft_cap && options.soft_cap > 0) return "it has no soft cap";
    if (!claims.bias && problem.bias) return "it takes no bias";
    if (!claims.mask && problem.mask) return "it takes no mask";
    if (!claims.sink_logits && !problem.sink_logits.empty()) return "it takes no sink logits";
    if (!claims.block_table && kv.block_table) return "it reads no block table";
    if (!claims.eviction && kv.evicted) return "it does not know evicted positions";
    if (!claims.scales && (kv.k.scale || kv.v.scale)) return "it applies no scales";
    if (!claims.ragged && is_ragged(problem, shape)) return "it needs sequences of equal length";
    return {};
}

} // namespace headroom
