// The running softmax of one row: the largest score so far and the sum of exp(score - max).
#pragma once
#include "cuda/primitives/device_problem.h"

namespace headroom::cuda {

struct SoftmaxState {
    float max = -INFINITY, sum = 0;
};

// What blocks that each walk a part of a sequence leave behind.
struct Parts {
    int splits;
    float* output;       // [splits, B, H, L, D], not yet divided by the sum
    SoftmaxState* state; // [splits, B, H, L]
};

// The same where blocks share all tiles evenly (work_split.h): two places per block.
struct BalancedWork {
    const int* tile_start; // [B + 1]
    Index units;           // of all sequences and KV heads
    float* output;         // [2 * blocks, L * group_size, D], not yet divided by the sum
    SoftmaxState* state;   // [2 * blocks, L * group_size]
    unsigned* arrived;     // [B * Hkv], zero before and after
};

// The larger of two scores, NaN if one is NaN; fmaxf drops it, which only the steps that show their row_max mind: in the
// sum a NaN stays in any case, and so it reaches output and lse.
__device__ inline float larger(float a, float b) { return b > a || b != b ? b : a; }

// What to subtract from scores: while no key was seen, max is -inf, and -inf - -inf would be NaN.
__device__ inline float safe(float max) { return max == -INFINITY ? 0.0f : max; }

// A learned sink logit enters maximum and sum exactly once, at the end, and carries no value. Returns the factor by
// which the weighted sum of values shrinks.
__device__ inline float add_sink(const DeviceProblem& p, int h, SoftmaxState& s)
{
    if (!p.sink_logits) return 1;
    const float max = larger(s.max, p.sink_logits[h]);
    const float factor = expf(s.max - safe(max));
    s.sum = s.sum * factor + expf(p.sink_logits[h] - safe(max));
    s.max = max;
    return factor;
}
// An empty row: output 0, lse -inf. A row of a NaN: NaN.
__device__ inline float inverse(const SoftmaxState& s) { return s.sum == 0 ? 0 : 1 / s.sum; }
__device__ inline float log_sum_exp(const SoftmaxState& s) { return s.sum == 0 ? -INFINITY : s.max + logf(s.sum); }

} // namespace headroom::cuda
