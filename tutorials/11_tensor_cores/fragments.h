// A matrix times one: what lies in the registers of a warp before the product, and what comes out.
#pragma once
#include "cuda/primitives/ldmatrix.h"
#include "cuda/primitives/mma.h"
#include "cuda/primitives/pack.h"

namespace headroom::cuda {

struct Fragments {
    std::uint32_t *before, *after; // [lane, register], two 16-bit numbers in each
};

__device__ inline void times_one(const Fragments& to)
{
    SHARED_ARRAY(std::uint32_t, A, [16][8]); // 16 x 16 numbers
    SHARED_ARRAY(std::uint32_t, one, [16][8]);
    const int lane = int(threadIdx.x), row = lane / 2;
    for (int w = lane % 2 * 4; w < lane % 2 * 4 + 4; ++w) {
        A[row][w] = pack2<F16>(float(16 * row + 2 * w), float(16 * row + 2 * w + 1));
        one[row][w] = pack2<F16>(row == 2 * w, row == 2 * w + 1);
    }
    __syncwarp();

    // A times one is A. A product has 8 columns, so it takes two: the left half of one, and the right.
    std::uint32_t a[4], b[4];
    ldmatrix_x4(a, &A[lane % 16][lane / 16 * 4]);
    ldmatrix_x4(b, &one[lane % 8 + lane / 16 * 8][lane / 8 % 2 * 4]);
    float left[4] = {}, right[4] = {};
    mma_16816<F16>(left, a, {b[0], b[1]});
    mma_16816<F16>(right, a, {b[2], b[3]});

    // Two accumulators, rounded to 16 bits two by two, in the order in which they stand.
    const std::uint32_t packed[4] = {pack2<F16>(left[0], left[1]), pack2<F16>(left[2], left[3]),
                                     pack2<F16>(right[0], right[1]), pack2<F16>(right[2], right[3])};
    for (int i = 0; i < 4; ++i) to.before[4 * lane + i] = a[i], to.after[4 * lane + i] = packed[i];
}

} // namespace headroom::cuda
