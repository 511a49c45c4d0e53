// Merging the parts of a sequence that different blocks walked, as decode/04 introduces it.
#pragma once
#include "cuda/primitives/kv_row.h"
#include "cuda/primitives/merge_warps.h"

namespace headroom::cuda {

PRIMITIVE void write_part(const DeviceProblem& p, const Parts& parts, int split, int b, int hkv, int column, int d,
                          float4 output, SoftmaxState state)
{
    const int group = p.H / p.Hkv, h = hkv * group + column % group, i = column / group;
    const Index at = Index{split} * p.B * p.H * p.L; // in rows
    st_vec(row_of(p, parts.output + at * p.D, b, h, i, p.D) + d, output);
    if (d == 0) *row_of(p, parts.state + at, b, h, i, 1) = state;
}

// One block per row; associative, and a part that saw no key weighs nothing. The sink enters here, once.
PRIMITIVE void combine_parts(const DeviceProblem& p, const Parts& parts)
{
    const Index row = blockIdx.x, rows = Index{p.B} * p.H * p.L;
    SoftmaxState all;
    for (int s = 0; s < parts.splits; ++s) all.max = fmaxf(all.max, parts.state[s * rows + row].max);
    const float max = all.max;
    for (int s = 0; s < parts.splits; ++s)
        all.sum += parts.state[s * rows + row].sum * expf(parts.state[s * rows + row].max - safe(max));
    const float factor = add_sink(p, static_cast<int>(row / p.L % p.H), all) * inverse(all);
    for (int d = static_cast<int>(threadIdx.x); d < p.D; d += static_cast<int>(blockDim.x)) {
        float output = 0;
        for (int s = 0; s < parts.splits; ++s)
            output += expf(parts.state[s * rows + row].max - safe(max)) * parts.output[(s * rows + row) * p.D + d];
        p.output[row * p.D + d] = output * factor;
    }
    if (threadIdx.x == 0) p.lse[row] = log_sum_exp(all);
}

} // namespace headroom::cuda
