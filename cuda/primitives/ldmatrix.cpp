#include "cuda/primitives/ldmatrix.h"

#include <cstring>

namespace headroom::cuda {
namespace {

std::uint32_t pair(std::uint16_t low, std::uint16_t high) { return static_cast<std::uint32_t>(high) << 16 | low; }

struct Rows {
    const void* row;
    unsigned matrices;
    bool transposed;
};

} // namespace

void simt::ldmatrix(std::uint32_t* r, unsigned matrices, bool transposed, const void* row, Site site)
{
    if (current->lane < 8 * matrices) check_access(row, 16, 16, Access::shared_read, site);
    const Rows in{row, matrices, transposed};
    current->block->meet(Op::ldmatrix, ~0u, &in, r, site, [](const Meeting& warp) {
        const auto [ignored, count, trans] = warp.in<Rows>(0);
        for (unsigned m = 0; m < count; ++m) {
            std::uint16_t matrix[8][8];
            for (unsigned i = 0; i < 8; ++i) std::memcpy(matrix[i], warp.in<Rows>(8 * m + i).row, 16);
            for (unsigned lane = 0; lane < 32; ++lane) {
                const unsigned g = lane / 4, t = lane % 4;
                (&warp.out<std::uint32_t>(lane))[m] =
                    trans ? pair(matrix[2 * t][g], matrix[2 * t + 1][g]) : pair(matrix[g][2 * t], matrix[g][2 * t + 1]);
            }
        }
    });
}

std::uint32_t movmatrix_trans(std::uint32_t fragment, simt::Site site)
{
    std::uint32_t r = 0;
    simt::current->block->meet(simt::Op::movmatrix, ~0u, &fragment, &r, site, [](const simt::Meeting& warp) {
        std::uint16_t matrix[8][8];
        for (unsigned lane = 0; lane < 32; ++lane)
            std::memcpy(&matrix[lane / 4][2 * (lane % 4)], &warp.in<std::uint32_t>(lane), 4);
        for (unsigned lane = 0; lane < 32; ++lane) {
            const unsigned g = lane / 4, t = lane % 4;
            warp.out<std::uint32_t>(lane) = pair(matrix[2 * t][g], matrix[2 * t + 1][g]);
        }
    });
    return r;
}

} // namespace headroom::cuda
