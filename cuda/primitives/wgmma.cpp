#include "cuda/primitives/wgmma.h"

#include <cstring>
#include <limits>
#include <vector>

namespace headroom::cuda::simt {
namespace {

// Where element (row or column mn, k) of an operand lies in shared memory.
const void* address_of(const SharedDescriptor& operand, int mn, int k)
{
    const int offset = operand.k_is_the_row ? mn / 64 * operand.half_bytes + k / 8 * 1024 + k % 8 * 128 + mn % 64 * 2
                                            : mn / 8 * 1024 + mn % 8 * 128 + k * 2;
    std::uintptr_t address = reinterpret_cast<std::uintptr_t>(operand.data) + static_cast<std::uintptr_t>(offset);
    address ^= (address >> 7 & 7) << 4; // the swizzle
    return reinterpret_cast<const void*>(address);
}

float element(const SharedDescriptor& operand, int mn, int k, Widen number)
{
    std::uint16_t bits;
    std::memcpy(&bits, address_of(operand, mn, k), sizeof bits);
    return number(bits);
}

// What the current thread's warp asks of shared memory: 8 x 8 numbers at a time, in 8 rows of 16 bytes, as ldmatrix does;
// each lane stands for one row. How the tensor core really fetches them is not documented.
void check_operand(const SharedDescriptor& operand, int first, int count, Site site)
{
    const int lane = static_cast<int>(current->lane), row = lane % 8;
    for (int matrix = lane / 8; matrix < count / 8 * 2; matrix += 4) {
        const int mn = first + matrix / 2 * 8, k = matrix % 2 * 8;
        const void* at = operand.k_is_the_row ? address_of(operand, mn, k + row) : address_of(operand, mn + row, k);
        check_access(at, 16, 16, Access::shared_read, site);
    }
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
    const int warp_in_group = static_cast<int>(current->warp % 4);
    if (!product.a) check_operand(product.a_shared, 16 * warp_in_group, 16, site);
    if (warp_in_group == 0) check_operand(product.b, 0, product.columns, site); // once for all four
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
