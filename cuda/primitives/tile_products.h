// The two products of a warp with 16 tokens of K and V that lie in shared memory. Layout::at(r, c) says where 16-byte
// chunk c of row r lies. 8-bit rows hold twice as many numbers per chunk: one ldmatrix serves two products, for the order
// of features inside a product is free if both operands agree (`first_feature`, `feature_gap` for the queries).
#pragma once
#include "cuda/primitives/dequantise.h"
#include "cuda/primitives/swapped_attention.h"
#include "cuda/primitives/swizzle.h"

namespace headroom::cuda {

template <class Stored> PRIMITIVE int first_feature(int step, int t)
{
    return 16 * step + (Stored::bits == 8 ? 4 : 2) * t;
}
template <class Stored> constexpr int feature_gap = Stored::bits == 8 ? 2 : 8;
// Of the output registers 0, 1 (high 0) and 2, 3 (high 1) of a step.
template <class Stored> PRIMITIVE int output_feature(int step, int high, int g)
{
    return Stored::bits == 8 ? 16 * step + 2 * g + high : 16 * step + 8 * high + g;
}

// scores += K Q^T
template <class Layout, class Query, class Stored, int D, int NT>
PRIMITIVE void add_scores(const SwappedAttention<Query, Stored, D, NT>& a, const std::byte* K, float (&scores)[NT][4])
{
    using Math = MathOf<Stored>;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    std::uint32_t r[4];
    if constexpr (Stored::bits == 16) {
#pragma unroll
        for (int k = 0; k < D / 16; ++k) {
            ldmatrix_x4(r, K + Layout::at(lane & 15, 2 * k + (lane >> 4)));
#pragma unroll
            for (int n = 0; n < NT; ++n) mma_16816<Math>(scores[n], r, a.q[n][k]);
        }
    } else {
#pragma unroll
        for (int k = 0; k < D / 16; k += 2) {
            ldmatrix_x4(r, K + Layout::at(lane & 15, k + (lane >> 4)));
            const std::uint32_t even[4] = {dq2<Stored>(r[0], 0), dq2<Stored>(r[1], 0), dq2<Stored>(r[0], 1),
                                           dq2<Stored>(r[1], 1)};
            const std::uint32_t odd[4] = {dq2<Stored>(r[2], 0), dq2<Stored>(r[3], 0), dq2<Stored>(r[2], 1),
                                          dq2<Stored>(r[3], 1)};
#pragma unroll
            for (int n = 0; n < NT; ++n) {
                mma_16816<Math>(scores[n], even, a.q[n][k]);
                mma_16816<Math>(scores[n], odd, a.q[n][k + 1]);
            }
        }
    }
}

// output += V^T P^T. Of the 16 tokens only the first `valid` count: what lies behind them may be NaN, and 0 * NaN is NaN.
template <class Layout, bool clean, class Query, class Stored, int D, int NT>
PRIMITIVE void add_values(SwappedAttention<Query, Stored, D, NT>& a, const std::byte* V,
                          const std::uint32_t (&weights)[NT][2], int valid = 16)
{
    using Math = MathOf<Stored>;
    const int lane = static_cast<int>(threadIdx.x) % 32, t = lane % 4;
    const auto keep = [&](int token) { // a register holds two tokens
        return (token < valid ? 0xffffu : 0) | (token + 1 < valid ? 0xffff0000u : 0);
    };
    std::uint32_t r[4];
    if constexpr (Stored::bits == 16) {
#pragma unroll
        for (int k = 0; k < D / 16; ++k) {
            ldmatrix_x4_trans(r, V + Layout::at((lane & 7) + (lane >> 4 << 3), 2 * k + (lane >> 3 & 1)));
            if (clean && valid < 16)
                r[0] &= keep(2 * t), r[1] &= keep(2 * t), r[2] &= keep(2 * t + 8), r[3] &= keep(2 * t + 8);
#pragma unroll
            for (int n = 0; n < NT; ++n) mma_16816<Math>(a.output[n][k], r, weights[n]);
        }
    } else {
        static_assert(!clean, "8-bit rows arrive with zeros behind the end");
#pragma unroll
        for (int k = 0; k < D / 16; k += 2) {
            ldmatrix_x4_trans(r, V + Layout::at(lane & 15, k + (lane >> 4)));
#pragma unroll
            for (int i = 0; i < 4; ++i) r[i] = prmt(r[i], 0, 0x3120); // two tokens' codes of one feature side by side
            const std::uint32_t even[4] = {dq2<Stored>(r[0], 0), dq2<Stored>(r[0], 1), dq2<Stored>(r[1], 0),
                                           dq2<Stored>(r[1], 1)};
            const std::uint32_t odd[4] = {dq2<Stored>(r[2], 0), dq2<Stored>(r[2], 1), dq2<Stored>(r[3], 0),
                                          dq2<Stored>(r[3], 1)};
#pragma unroll
            for (int n = 0; n < NT; ++n) {
                mma_16816<Math>(a.output[n][k], even, weights[n]);
                mma_16816<Math>(a.output[n][k + 1], odd, weights[n]);
            }
        }
    }
}

} // namespace headroom::cuda
