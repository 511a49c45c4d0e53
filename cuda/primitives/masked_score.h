// From the product of a query and a key to what softmax sees, in the contract's order: scale, soft cap, bias, mask.
// Written from the words in problem.h, not from the reference.
#pragma once
#include "cuda/primitives/device_problem.h"

namespace headroom::cuda {

// Where query i of sequence b stands among the tokens; the newest query at the newest key.
__device__ inline Index query_position(const DeviceProblem& p, int b, int i)
{
    if (p.causal == Causal::top_left) return i;
    const Index seen = p.kv.length[b] + (p.kv.evicted ? p.kv.evicted[b] : 0);
    const Index queries = p.query_length ? p.query_length[b] : p.L;
    return seen - queries + i;
}

__device__ inline bool visible(const DeviceProblem& p, int b, int i, Index j)
{
    if (j >= p.kv.length[b]) return false;
    if (p.query_length && i >= p.query_length[b]) return false; // padding
    if (p.causal == Causal::none) return true;
    const Index query = query_position(p, b, i);
    const Index key = p.kv.evicted && j >= p.kv.kept_first ? j + p.kv.evicted[b] : j;
    const bool near = p.window == 0 || query - key < p.window;
    return key <= query && (near || key < p.sinks);
}

__device__ inline float at(const Broadcast& t, int b, int h, int i, Index j)
{
    return t.data[b * t.stride[0] + h * t.stride[1] + i * t.stride[2] + j * t.stride[3]];
}

// -inf: the query does not see the key. Selected, never multiplied: what an unseen slot holds does not matter.
__device__ inline float masked_score(const DeviceProblem& p, int b, int h, int i, Index j, float dot)
{
    if (!visible(p, b, i, j)) return -INFINITY;
    float score = p.scale * dot;
    if (p.soft_cap > 0) score = p.soft_cap * tanhf(score / p.soft_cap);
    if (p.bias.data) score += at(p.bias, b, h, i, j);
    if (p.mask.data && at(p.mask, b, h, i, j) == 0) return -INFINITY;
    return score;
}

} // namespace headroom::cuda
