#include "reference/attention/key_range.h"

#include <algorithm>

namespace headroom {
namespace {

// How many slots of sequence b hold a position before `bound`: positions rise with the slots, with one gap at most.
Index slots_before(const KvView& kv, Index b, Index bound)
{
    const Index stored = kv.length[b], evicted = kv.evicted ? kv.evicted[b] : 0;
    const Index kept = std::min(kv.kept_first, stored);
    if (bound <= kept) return std::clamp<Index>(bound, 0, kept);
    return std::clamp(bound - evicted, kept, stored);
}

} // namespace

KeyRanges key_ranges(const AttentionProblem& problem, Index b, Index i)
{
    const AttentionOptions& options = problem.options;
    const KvView& kv = problem.kv;
    const Index queries = problem.query_length ? problem.query_length[b] : problem.q.extent[2];
    if (i >= queries) return {};
    if (options.causal == Causal::none) return {.sinks = {}, .recent = {0, kv.length[b]}};

    // Up to and with the query's own position p …
    const Index p = options.causal == Causal::top_left ? i : tokens_seen(kv, b) - queries + i;
    const Index end = slots_before(kv, b, p + 1);
    if (options.window == 0) return {.sinks = {}, .recent = {0, end}};

    // … and with a window not before p - W + 1, except for the first tokens.
    const Index oldest = p < options.window ? 0 : p - options.window + 1;
    const Index begin = std::min(slots_before(kv, b, oldest), end);
    return {.sinks = {0, std::min(slots_before(kv, b, options.sinks), begin)}, .recent = {begin, end}};
}

} // namespace headroom
