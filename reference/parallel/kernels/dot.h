// scores = q K^T where keys lie: QUERIES rows of q times 4 keys in registers.
#pragma once
#include "reference/parallel/kernels/fetch.h"

namespace headroom::parallel {
namespace {

// sums[r][x] += q[r] . keys[x] in `vectors` vectors of columns, from d on
template <class T, bool fetches, int vectors, int rows>
INLINE void dot_step(const float* q, const void* const (&key)[4], Index d, Index dim, const void* const* next,
                     Floats (&sums)[rows][4])
{
    UNROLL
    for (int x = 0; x < 4; ++x) {
        Floats k[vectors];
        unpack_vectors<T>(key[x], d, k);
        UNROLL
        for (int n = 0; n < vectors; ++n) {
            const Index column = d + n * LANES;
            if (fetches && begins_a_line(column, T::bytes)) fetch(next[x], column * T::bytes);
            UNROLL
            for (int r = 0; r < rows; ++r) sums[r][x] = load(q + r * dim + column) * k[n] + sums[r][x];
        }
    }
}

// The sums of each row's four vectors, side by side in its row of scores; of as many rows at once as a vector has quarters.
template <int rows> INLINE void store_sums(const Floats (&sums)[rows][4], float* scores)
{
    constexpr int together = LANES / 4;
    if constexpr (rows % together == 0) {
        UNROLL
        for (int r = 0; r < rows; r += together) {
            Floats of_quarters[together];
            UNROLL
            for (int n = 0; n < together; ++n) of_quarters[n] = four_quarter_sums(sums[r + n]);
            const Floats all_sums = quarters_sums(of_quarters);
            UNROLL
            for (int n = 0; n < together; ++n) store_four(quarter(all_sums, n), scores + (r + n) * tile_keys);
        }
    } else {
        UNROLL
        for (int r = 0; r < rows; ++r) store_four(quarters_sum(four_quarter_sums(sums[r])), scores + r * tile_keys);
    }
}

template <class T, int rows, bool fetches>
INLINE void dot_rows(const float* q, const void* const* key, Index keys, Index dim, const void* const* next,
                     float* scores)
{
    for (Index j = 0; j < keys; j += 4) {
        const void* const four[4] = {key[j], key[j + 1], key[j + 2], key[j + 3]};
        const void* const* const soon = fetches ? next + j : nullptr;
        Floats sums[rows][4] = {};
        Index d = 0;
        if constexpr (LANES == 16) // whole rows of 128 one after the other, as memory likes it
            for (; d + 8 * LANES <= dim; d += 8 * LANES) dot_step<T, fetches, 8>(q, four, d, dim, soon, sums);
        for (; d + 4 * LANES <= dim; d += 4 * LANES) dot_step<T, fetches, 4>(q, four, d, dim, soon, sums);
        for (; d + 2 * LANES <= dim; d += 2 * LANES) dot_step<T, fetches, 2>(q, four, d, dim, soon, sums);
        if (d < dim) dot_step<T, fetches, 1>(q, four, d, dim, soon, sums);
        store_sums(sums, scores + j);
    }
}

template <class T>
void dot_stored(const float* q, Index rows, const void* const* key, Index keys, Index dim, const void* const* next,
                float* scores)
{
    Index r = 0; // the first rows fetch
    if (next && QUERIES <= rows) {
        dot_rows<T, QUERIES, true>(q, key, keys, dim, next, scores);
        r = QUERIES;
    } else if (next && 1 <= rows) {
        dot_rows<T, 1, true>(q, key, keys, dim, next, scores);
        r = 1;
    }
    for (; r + QUERIES <= rows; r += QUERIES)
        dot_rows<T, QUERIES, false>(q + r * dim, key, keys, dim, nullptr, scores + r * tile_keys);
    for (; r < rows; ++r) dot_rows<T, 1, false>(q + r * dim, key, keys, dim, nullptr, scores + r * tile_keys);
}

} // namespace
} // namespace headroom::parallel
