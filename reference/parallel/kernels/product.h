// C += A B for many rows: PRODUCT_ROWS times PRODUCT_VECTORS vectors of sums in registers.
#pragma once
#include "reference/parallel/kernels/fetch.h"

namespace headroom::parallel {
namespace {

template <int rows, int vectors>
INLINE void product_block(const float* A, Index a, const float* B, Index b, float* C, Index c, Index k, bool add,
                          Fetching& fetching)
{
    Floats sums[rows][vectors] = {};
    for (Index i = 0; i < k; ++i) {
        fetching.step();
        Floats row[vectors];
        UNROLL
        for (int x = 0; x < vectors; ++x) row[x] = load(B + i * b + x * LANES);
        UNROLL
        for (int r = 0; r < rows; ++r) {
            const Floats factor = all(A[r * a + i]);
            UNROLL
            for (int x = 0; x < vectors; ++x) sums[r][x] = factor * row[x] + sums[r][x];
        }
    }
    UNROLL
    for (int r = 0; r < rows; ++r) {
        UNROLL
        for (int x = 0; x < vectors; ++x) {
            float* const to = C + r * c + x * LANES;
            store(add ? load(to) + sums[r][x] : sums[r][x], to);
        }
    }
}

template <int vectors>
INLINE void product_columns(const float* A, Index a, const float* B, Index b, float* C, Index c, Index m, Index k,
                            bool add, Fetching& f)
{
    constexpr int rows = vectors == PRODUCT_VECTORS ? PRODUCT_ROWS : 12; // enough sums to keep the multipliers busy
    Index r = 0;
    for (; r + rows <= m; r += rows) product_block<rows, vectors>(A + r * a, a, B, b, C + r * c, c, k, add, f);
    for (; r + 4 <= m; r += 4) product_block<4, vectors>(A + r * a, a, B, b, C + r * c, c, k, add, f);
    for (; r + 2 <= m; r += 2) product_block<2, vectors>(A + r * a, a, B, b, C + r * c, c, k, add, f);
    if (r < m) product_block<1, vectors>(A + r * a, a, B, b, C + r * c, c, k, add, f);
}

void product(const float* A, Index a, const float* B, Index b, float* C, Index c, Index m, Index n, Index k, bool add,
             const Ahead& ahead)
{
    Fetching f(ahead);
    Index x = 0;
    for (; x + PRODUCT_VECTORS * LANES <= n; x += PRODUCT_VECTORS * LANES)
        product_columns<PRODUCT_VECTORS>(A, a, B + x, b, C + x, c, m, k, add, f);
#if LANES == 16
    for (; x + 2 * LANES <= n; x += 2 * LANES) product_columns<2>(A, a, B + x, b, C + x, c, m, k, add, f);
#endif
    for (; x < n; x += LANES) product_columns<1>(A, a, B + x, b, C + x, c, m, k, add, f);
}

} // namespace
} // namespace headroom::parallel
