// One warp's attention on the tensor core with the operands swapped: 16 tokens are the rows of a product, query rows
// its columns. A product has 8 columns anyway, so a group of up to 8 query heads costs what one head costs.
//
//     S^T [16 tokens, 8 NT] = K Q^T          O^T [D, 8 NT] += V^T P^T
//
// Column c is query c / group_size of head hkv * group_size + c % group_size. With lane = 4g + t a lane holds tokens g
// and g + 8 of columns 2t and 2t + 1, in S^T as in O^T: rescaling needs no exchange between lanes.
#pragma once
#include "cuda/primitives/fast_math.h"
#include "cuda/primitives/kv_row.h"
#include "cuda/primitives/ldmatrix.h"
#include "cuda/primitives/mma.h"
#include "cuda/primitives/pack.h"
#include "cuda/primitives/visible_range.h"

namespace headroom::cuda {

template <class Query, class Stored, int D, int NT> struct SwappedAttention {
    using Math = MathOf<Stored>;
    static constexpr int steps = D / 16, columns = 8 * NT;

    std::uint32_t q[NT][steps][2];
    float output[NT][steps][4];
    float max[NT][2], sum[NT][2]; // in powers of two; sum over this lane's tokens only
    VisibleRange range[NT][2];

    // Feature first(k) and its neighbour go to the k-th step's first register, first(k) + gap to the second.
    template <class First> PRIMITIVE void start(const DeviceProblem& p, int b, int hkv, First first, int gap)
    {
        const int lane = static_cast<int>(threadIdx.x) % 32, group = p.H / p.Hkv;
#pragma unroll
        for (int n = 0; n < NT; ++n) {
            const int c = 8 * n + lane / 4;
            const bool there = c < group * p.L;
            const std::uint16_t* row = row_of(p, static_cast<const std::uint16_t*>(p.q), b,
                                              hkv * group + (there ? c % group : 0), there ? c / group : 0, D);
#pragma unroll
            for (int k = 0; k < steps; ++k) {
                q[n][k][0] = there ? pair(row + first(k)) : 0;
                q[n][k][1] = there ? pair(row + first(k) + gap) : 0;
#pragma unroll
                for (int e = 0; e < 4; ++e) output[n][k][e] = 0;
            }
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                const int mine = 8 * n + 2 * (lane % 4) + j;
                range[n][j] = mine < group * p.L ? visible_range(p, b, mine / group) : VisibleRange{};
                max[n][j] = negative_infinity, sum[n][j] = 0;
            }
        }
    }

    // From the scores of the 16 tokens behind `token` to their weights, as the second operand of the next product.
    // Scales per token, where 8-bit storage has them, multiply the scores and the weights of a row.
    PRIMITIVE void softmax(const DeviceProblem& p, int token, float (&scores)[NT][4], std::uint32_t (&weights)[NT][2],
                           float2 k_scale = {1, 1}, float2 v_scale = {1, 1})
    {
        const int g = static_cast<int>(threadIdx.x) % 32 / 4;
#pragma unroll
        for (int n = 0; n < NT; ++n) {
            float x[2][2]; // [column][token]
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                x[j][0] = power(p, scores[n][j] * k_scale.x, range[n][j].sees(p, token + g));
                x[j][1] = power(p, scores[n][2 + j] * k_scale.y, range[n][j].sees(p, token + g + 8));
                float most = fmaxf(x[j][0], x[j][1]);
#pragma unroll
                for (int step = 4; step <= 16; step *= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
                most = fmaxf(most, max[n][j]);
                const float subtract = most == negative_infinity ? 0 : most; // -inf - -inf would be NaN
                const float old = exp2_fast(max[n][j] - subtract);
                x[j][0] = exp2_fast(x[j][0] - subtract);
                x[j][1] = exp2_fast(x[j][1] - subtract);
                max[n][j] = most;
                sum[n][j] = sum[n][j] * old + x[j][0] + x[j][1];
#pragma unroll
                for (int k = 0; k < steps; ++k) output[n][k][j] *= old, output[n][k][2 + j] *= old;
            }
            weights[n][0] = movmatrix_trans(pack2<Math>(x[0][0] * v_scale.x, x[1][0] * v_scale.x));
            weights[n][1] = movmatrix_trans(pack2<Math>(x[0][1] * v_scale.y, x[1][1] * v_scale.y));
        }
    }

private:
    PRIMITIVE static std::uint32_t pair(const std::uint16_t* two)
    {
        const std::uint32_t stored = *reinterpret_cast<const std::uint32_t*>(two);
        if constexpr (std::is_same_v<Query, Math>) return stored;
        const float2 f = unpack2<Query>(stored);
        return pack2<Math>(f.x, f.y);
    }
    // The score as a power of two; selected, never multiplied, where it is not seen.
    PRIMITIVE static float power(const DeviceProblem& p, float dot, bool seen)
    {
        float score = p.scale * dot;
        if (p.soft_cap > 0) score = p.soft_cap * tanhf(score / p.soft_cap);
        return seen ? score * log2_of_e : negative_infinity;
    }
};

} // namespace headroom::cuda
