#include "cuda/primitives/wgmma.h"

#include <cstring>
#include <limits>
#include <vector>

namespace headroom::cuda::simt {
namespace {

// Element (row or column mn, k) of an operand in shared memory.
float element(const SharedDescriptor& operand, int mn, int k, Widen number)
{
    const int offset = operand.k_is_the_row ? mn / 64 * operand.half_bytes + k / 8 * 1024 + k % 8 * 128 + mn % 64 * 2
                                            : mn / 8 * 1024 + mn % 8 * 128 + k * 2;
    std::uintptr_t address = reinterpret_cast<std::uintptr_t>(operand.data) + static_cast<std::uintptr_t>(offset);
    address ^= (address >> 7 & 7) << 4; // the swizzle
    std::uint16_t bits;
    std::memcpy(&bits, reinterpret_cast<const void*>(address), sizeof bits);
    return number(bits);
}

// The 16 rows of one warp.
void multiply(const std::array<Product, 32>& lanes, int first_row)
{
    const auto [d, a, a_shared, b, columns, accumulate, number] = lanes[0];
    const auto N = static_cast<std::size_t>(columns);
    float A[16][16];
    for (int m = 0; m < 16; ++m)
        for (int k = 0; k < 16; ++k) {
            const std::uint32_t* from = lanes[static_cast<std::size_t>(m % 8 * 4 + k % 8 / 2)].a;
            A[m][k] = from ? number(static_cast<std::uint16_t>(from[m / 8 + k / 8 * 2] >> 16 * (k % 2)))
                           : element(a_shared, first_row + m, k, number);
        }
    std::vector<float> sums(16 * N), row(N);
    for (int k = 0; k < 16; ++k) {
        for (std::size_t n = 0; n < N; ++n) row[n] = element(b, static_cast<int>(n), k, number);
        for (std::size_t m = 0; m < 16; ++m)
            for (std::size_t n = 0; n < N; ++n) sums[m * N + n] += A[m][k] * row[n];
    }
    for (std::size_t lane = 0; lane < 32; ++lane)
        for (std::size_t i = 0; i < N / 2; ++i) {
            const std::size_t m = lane / 4 + i / 2 % 2 * 8, n = i / 4 * 8 + lane % 4 * 2 + i % 2;
            float& x = lanes[lane].d[i];
            x = (accumulate ? x : 0.0f) + sums[m * N + n];
        }
}

} // namespace

void wgmma(const Product& product, Site site)
{
    current->block->meet(Op::wgmma, ~0u, &product, nullptr, site, [](const Meeting& warp) {
        std::array<Product, 32> lanes;
        for (unsigned lane = 0; lane < 32; ++lane) lanes[lane] = warp.in<Product>(lane);
        const Product& first = lanes[0];
        for (const Product& p : lanes) {
            if (p.b.data != first.b.data || p.a_shared.data != first.a_shared.data || p.accumulate != first.accumulate)
                current->block->fail("wgmma: the lanes of a warp name different operands");
            if (!p.accumulate) std::fill_n(p.d, p.columns / 2, std::numeric_limits<float>::quiet_NaN());
        }
        const unsigned number = warp.lanes[0].warp;
        const int first_row = static_cast<int>(number % 4 * 16);
        current->block->products().issue(number, [lanes, first_row] { multiply(lanes, first_row); });
    });
}

void wgmma_commit(Site site)
{
    current->block->meet(Op::wgmma, ~0u, nullptr, nullptr, site,
                         [](const Meeting& warp) { current->block->products().commit(warp.lanes[0].warp); });
}

void wgmma_wait(unsigned newest, Site site)
{
    current->block->meet(Op::wgmma_wait, ~0u, &newest, nullptr, site, [](const Meeting& warp) {
        current->block->products().wait(warp.lanes[0].warp, warp.in<unsigned>(0));
    });
}

} // namespace headroom::cuda::simt
