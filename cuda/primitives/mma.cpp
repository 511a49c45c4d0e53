#include "cuda/primitives/mma.h"

namespace headroom::cuda::simt {
namespace {

struct Operands {
    const std::uint32_t *a, *b;
    Widen number;
};

} // namespace

void mma_16816(float* d, const std::uint32_t* a, const std::uint32_t* b, Widen number, Site site)
{
    const Operands in{a, b, number};
    current->block->meet(Op::mma, ~0u, &in, d, site, [](const Meeting& warp) {
        // Gather the fragments.
        float A[16][16], B[16][8], D[16][8] = {};
        const Widen widened = warp.in<Operands>(0).number;
        for (unsigned lane = 0; lane < 32; ++lane) {
            const unsigned g = lane / 4, t = lane % 4;
            const Operands& x = warp.in<Operands>(lane);
            for (unsigned half = 0; half < 2; ++half) {
                const auto f = [&](std::uint32_t r) { return widened(static_cast<std::uint16_t>(r >> 16 * half)); };
                for (unsigned i = 0; i < 4; ++i) A[g + 8 * (i % 2)][2 * t + half + 8 * (i / 2)] = f(x.a[i]);
                for (unsigned i = 0; i < 2; ++i) B[2 * t + half + 8 * i][g] = f(x.b[i]);
            }
        }
        // Multiply, add.
        for (int m = 0; m < 16; ++m)
            for (int k = 0; k < 16; ++k)
                for (int n = 0; n < 8; ++n) D[m][n] += A[m][k] * B[k][n];
        for (unsigned lane = 0; lane < 32; ++lane) {
            float* mine = &warp.out<float>(lane);
            for (unsigned i = 0; i < 4; ++i) mine[i] += D[lane / 4 + 8 * (i / 2)][2 * (lane % 4) + i % 2];
        }
    });
}

} // namespace headroom::cuda::simt
