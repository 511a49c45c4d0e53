// The end of a tensor-core step: what the warps of a block gathered for the same query rows becomes one.
#pragma once
#include "cuda/primitives/softmax_state.h"
#include "cuda/primitives/swapped_attention.h"
#include "cuda/primitives/vector_access.h"

namespace headroom::cuda {

// Shared memory: [warps][columns][D + 4] of output and [warps][columns] states. 4: neighbouring rows lie in other banks, so
// that neighbouring features are stored without conflicts; not so the order of features that 05 and 09 have.
template <int D, int warps, int NT> constexpr int merge_bytes = warps * 8 * NT*((D + 4) * 4 + 8);

// `feature_of(k, high)`: which feature the output registers 0, 1 (high 0) and 2, 3 (high 1) of step k are, for this lane.
// Calls write(column, d, four neighbouring features of output not yet divided by the sum, state), for each column.
template <int D, int warps, int NT, class Attention, class FeatureOf, class Sync, class Write>
PRIMITIVE void merge_warps(Attention& a, void* shared, int columns, FeatureOf feature_of, Sync sync, Write write)
{
    constexpr int pitch = D + 4;
    float* outputs = static_cast<float*>(shared);
    SoftmaxState* states = reinterpret_cast<SoftmaxState*>(outputs + warps * 8 * NT * pitch);
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
#pragma unroll
    for (int n = 0; n < NT; ++n)
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            float sum = a.sum[n][j];
#pragma unroll
            for (int step = 4; step <= 16; step *= 2) sum += __shfl_xor_sync(~0u, sum, step);
            const int row = warp * 8 * NT + 8 * n + 2 * (lane % 4) + j;
            if (lane / 4 == 0) states[row] = {a.max[n][j] * log_of_2, sum};
#pragma unroll
            for (int k = 0; k < Attention::steps; ++k) {
                outputs[row * pitch + feature_of(k, 0)] = a.output[n][k][j];
                outputs[row * pitch + feature_of(k, 1)] = a.output[n][k][2 + j];
            }
        }
    sync();
    for (int n = static_cast<int>(threadIdx.x); n < columns * (D / 4); n += warps * 32) {
        const int column = n / (D / 4), d = n % (D / 4) * 4;
        SoftmaxState all;
        for (int w = 0; w < warps; ++w) all.max = fmaxf(all.max, states[w * 8 * NT + column].max);
        float4 output = make_float4(0, 0, 0, 0);
        for (int w = 0; w < warps; ++w) {
            const int row = w * 8 * NT + column;
            const float factor = expf(states[row].max - safe(all.max));
            const float4 x = ld_vec<float4>(outputs + row * pitch + d);
            all.sum += factor * states[row].sum;
            output.x += factor * x.x, output.y += factor * x.y, output.z += factor * x.z, output.w += factor * x.w;
        }
        write(column, d, output, all);
    }
}

// Four features of a finished row: the sink, the division, and with the first four the log-sum-exp.
PRIMITIVE void finish_row(const DeviceProblem& p, int b, int hkv, int column, int d, float4 output, SoftmaxState state)
{
    const int group = p.H / p.Hkv, h = hkv * group + column % group, i = column / group;
    const float factor = add_sink(p, h, state) * inverse(state);
    st_vec(row_of(p, p.output, b, h, i, p.D) + d,
           make_float4(output.x * factor, output.y * factor, output.z * factor, output.w * factor));
    if (d == 0) *row_of(p, p.lse, b, h, i, 1) = log_sum_exp(state);
}

} // namespace headroom::cuda
