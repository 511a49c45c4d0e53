// scores = q K^T where keys lie: QUERIES rows of q times 4 keys in registers.
#pragma once
#include "reference/parallel/kernels/fetch.h"

namespace headroom::parallel {
namespace {

// sums[r][x] += q[r] . keys[x] in `vectors` vectors of columns, from d on
template <class T, int vectors, int rows>
INLINE void dot_step(const float* q, const void* const* key, Index d, Index dim, const void* const* next,
                     Floats (&sums)[rows][4])
{
    UNROLL
    for (int x = 0; x < 4; ++x) {
        Floats k[vectors];
        unpack_vectors<T>(key[x], d, k);
        UNROLL
        for (int n = 0; n < vectors; ++n) {
            const Index column = d + n * LANES;
            if (next && begins_a_line(column, T::bytes)) fetch(next[x], column * T::bytes);
            UNROLL
            for (int r = 0; r < rows; ++r) sums[r][x] = load(q + r * dim + column) * k[n] + sums[r][x];
        }
    }
}

template <class T, int rows>
INLINE void dot_rows(const float* q, const void* const* key, Index keys, Index dim, const void* const* next,
                     float* scores)
{
    for (Index j = 0; j < keys; j += 4) {
        const void* const* const soon = next ? next + j : nullptr;
        Floats sums[rows][4] = {};
        Index d = 0;
        for (; d + 2 * LANES <= dim; d += 2 * LANES) dot_step<T, 2>(q, key + j, d, dim, soon, sums);
        if (d < dim) dot_step<T, 1>(q, key + j, d, dim, soon, sums);
        UNROLL
        for (int r = 0; r < rows; ++r) {
            const FourFloats four = four_sums(sums[r]);
            __builtin_memcpy(scores + r * tile_keys + j, &four, sizeof four);
        }
    }
}

template <class T>
void dot_stored(const float* q, Index rows, const void* const* key, Index keys, Index dim, const void* const* next,
                float* scores)
{
    Index r = 0;
    for (; r + QUERIES <= rows; r += QUERIES, next = nullptr)
        dot_rows<T, QUERIES>(q + r * dim, key, keys, dim, next, scores + r * tile_keys);
    for (; r < rows; ++r, next = nullptr) dot_rows<T, 1>(q + r * dim, key, keys, dim, next, scores + r * tile_keys);
}

} // namespace
} // namespace headroom::parallel
