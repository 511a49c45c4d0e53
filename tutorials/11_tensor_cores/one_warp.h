// Attention of 16 queries by one warp on tensor cores: two products, and online softmax between them.
#pragma once
#include "cuda/primitives/ldmatrix.h"
#include "cuda/primitives/mma.h"
#include "cuda/primitives/pack.h"
#include "cuda/primitives/vector_access.h"

namespace headroom::cuda {

constexpr int L = 16, S = 64,
              D = 64; // queries; keys, in tiles of 16; numbers in a row, which make 8 chunks of 16 bytes

struct OneWarp {
    const std::uint16_t *q, *K, *V; // [L, D], [S, D], [S, D] in f16
    float* output;                  // [L, D]
};

// Layout::at(row, chunk) says where a chunk of a tile lies in shared memory.
template <class Layout> __device__ void attend(const OneWarp& p)
{
    SHARED_ARRAY(std::byte, K, [16 * 128]);
    SHARED_ARRAY(std::byte, V, [16 * 128]);
    const int lane = int(threadIdx.x), g = lane / 4, t = lane % 4;
    std::uint32_t q[D / 16][4]; // A of the first product, 16 features at a time
    for (int k = 0; k < D / 16; ++k)
        for (int i = 0; i < 4; ++i)
            q[k][i] = ld_vec<std::uint32_t>(p.q + (g + i % 2 * 8) * D + 16 * k + i / 2 * 8 + 2 * t);

    float output[D / 8][4] = {}, max[2] = {-INFINITY, -INFINITY}, sum[2] = {};
    for (int from = 0; from < S; from += 16) {
        for (int n = lane; n < 16 * 8; n += 32) {
            st_vec(K + Layout::at(n / 8, n % 8), ld_vec<uint4>(p.K + (from + n / 8) * D + n % 8 * 8));
            st_vec(V + Layout::at(n / 8, n % 8), ld_vec<uint4>(p.V + (from + n / 8) * D + n % 8 * 8));
        }
        __syncwarp();

        // First product: scores of 16 queries and 16 keys, 8 keys in each accumulator.
        float s[2][4] = {};
        std::uint32_t b[4];
        for (int k = 0; k < D / 16; ++k) {
            ldmatrix_x4(b, K + Layout::at(lane % 8 + lane / 16 * 8, 2 * k + lane / 8 % 2));
            mma_16816<F16>(s[0], q[k], {b[0], b[1]});
            mma_16816<F16>(s[1], q[k], {b[2], b[3]});
        }

        // Softmax: four lanes hold a row of scores, and the same four hold that row of the output.
        for (int r = 0; r < 2; ++r) { // row g, row g + 8
            float *left = s[0] + 2 * r, *right = s[1] + 2 * r;
            float most = fmaxf(fmaxf(left[0], left[1]), fmaxf(right[0], right[1])) / 8; // sqrt(D)
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 1));
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 2));
            most = fmaxf(most, max[r]);
            const float shrink = expf(max[r] - most);
            max[r] = most;
            for (int e = 0; e < 2; ++e) left[e] = expf(left[e] / 8 - most), right[e] = expf(right[e] / 8 - most);
            sum[r] = sum[r] * shrink + left[0] + left[1] + right[0] + right[1]; // of this lane's keys
            for (auto& d : output) d[2 * r] *= shrink, d[2 * r + 1] *= shrink;
        }

        // Second product: the accumulators, as they lie, are A.
        const std::uint32_t weights[4] = {pack2<F16>(s[0][0], s[0][1]), pack2<F16>(s[0][2], s[0][3]),
                                          pack2<F16>(s[1][0], s[1][1]), pack2<F16>(s[1][2], s[1][3])};
        for (int d = 0; d < D / 8; d += 2) {
            ldmatrix_x4_trans(b, V + Layout::at(lane % 16, d + lane / 16));
            mma_16816<F16>(output[d], weights, {b[0], b[1]});
            mma_16816<F16>(output[d + 1], weights, {b[2], b[3]});
        }
        __syncwarp(); // all have read this tile
    }

    for (int r = 0; r < 2; ++r) {
        sum[r] += __shfl_xor_sync(~0u, sum[r], 1);
        sum[r] += __shfl_xor_sync(~0u, sum[r], 2);
        for (int d = 0; d < D / 8; ++d)
            st_vec(p.output + (g + 8 * r) * D + 8 * d + 2 * t,
                   make_float2(output[d][2 * r] / sum[r], output[d][2 * r + 1] / sum[r]));
    }
}

} // namespace headroom::cuda
