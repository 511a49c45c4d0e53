#include "reference/parallel/visible_keys.h"

#include <algorithm>

namespace headroom::parallel {
namespace {

// How many stored keys stand before a position. Behind the first kept ones, positions jump by what was evicted.
Index keys_before(const KvView& kv, Index b, Index position)
{
    const Index length = kv.length[b], kept = std::min(kv.kept_first, length);
    const Index evicted = kv.evicted ? kv.evicted[b] : 0;
    if (position <= kept) return std::max<Index>(position, 0);
    return std::min(std::max(kept, position - evicted), length);
}

float element(const Tensor& t, Index b, Index h, Index i, Index j)
{
    const Index B = t.extent(0), H = t.extent(1), L = t.extent(2), S = t.extent(3);
    const Index at = (((B == 1 ? 0 : b) * H + (H == 1 ? 0 : h)) * L + (L == 1 ? 0 : i)) * S + (S == 1 ? 0 : j);
    return static_cast<float>(t.values()[static_cast<std::size_t>(at)]);
}

} // namespace

VisibleKeys visible_keys(const AttentionProblem& p, Index b, Index i)
{
    const KvView& kv = p.kv;
    const AttentionOptions& o = p.options;
    const Index queries = p.query_length ? p.query_length[b] : p.q.extent[2];
    if (i >= queries) return {}; // padding
    if (o.causal == Causal::none) return {.end = kv.length[b]};

    const Index seen = kv.length[b] + (kv.evicted ? kv.evicted[b] : 0);
    const Index position = o.causal == Causal::top_left ? i : seen - queries + i;
    VisibleKeys visible{.end = keys_before(kv, b, position + 1)};
    if (o.window > 0 && o.window <= position) {
        visible.begin = std::min(visible.end, keys_before(kv, b, position - o.window + 1));
        visible.sinks_end = std::min(visible.begin, keys_before(kv, b, o.sinks));
    }
    return visible;
}

VisibleKeys visible_keys(const AttentionProblem& p, Index b, Index first, Index last)
{
    VisibleKeys all = visible_keys(p, b, first);
    for (Index i = first + 1; i < last; ++i) {
        const VisibleKeys one = visible_keys(p, b, i);
        if (one.count() == 0) continue;
        if (all.count() == 0) {
            all = one;
            continue;
        }
        all.sinks_end = std::max(all.sinks_end, one.sinks_end);
        all.begin = std::min(all.begin, one.begin);
        all.end = std::max(all.end, one.end);
    }
    all.sinks_end = std::min(all.sinks_end, all.begin);
    return all;
}

bool mask_allows(const AttentionProblem& p, Index b, Index h, Index i, Index j)
{
    return !p.mask || element(*p.mask, b, h, i, j) != 0;
}

float bias(const AttentionProblem& p, Index b, Index h, Index i, Index j)
{
    return p.bias ? element(*p.bias, b, h, i, j) : 0;
}

} // namespace headroom::parallel
