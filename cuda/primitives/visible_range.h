// Which keys a query sees, as a range: what tensor-core steps keep in registers. The rule of problem.h, where neither
// positions were evicted nor a mask is given.
#pragma once
#include "cuda/primitives/device_problem.h"

namespace headroom::cuda {

struct VisibleRange {
    int first = 0, last = -1; // and the first p.sinks

    __device__ bool sees(const DeviceProblem& p, int j) const { return j <= last && (j >= first || j < p.sinks); }
};

__device__ inline VisibleRange visible_range(const DeviceProblem& p, int b, int i)
{
    const int length = static_cast<int>(p.kv.length[b]);
    const int queries = p.query_length ? static_cast<int>(p.query_length[b]) : p.L;
    if (i >= queries) return {}; // padding
    if (p.causal == Causal::none) return {0, length - 1};
    const int query = p.causal == Causal::top_left ? i : length - queries + i;
    return {p.window ? query - static_cast<int>(p.window) + 1 : 0, min(query, length - 1)};
}

} // namespace headroom::cuda
