// output += weights V where values lie: QUERIES rows of weights times VECTORS vectors of columns in registers.
#pragma once
#include "reference/parallel/kernels/fetch.h"

namespace headroom::parallel {
namespace {

template <class T, int rows, int vectors>
INLINE void accumulate_block(const float* weights, const void* const* value, Index values, Index dim, Index column,
                             const void* const* next, float* output)
{
    Floats sums[rows][vectors];
    UNROLL
    for (int r = 0; r < rows; ++r) {
        UNROLL
        for (int x = 0; x < vectors; ++x) sums[r][x] = load(output + r * dim + column + x * LANES);
    }
    for (Index j = 0; j < values; ++j) {
        Floats v[vectors];
        unpack_vectors<T>(value[j], column, v);
        UNROLL
        for (int x = 0; x < vectors; ++x) {
            const Index d = column + x * LANES;
            if (next && begins_a_line(d, T::bytes)) fetch(next[j], d * T::bytes);
        }
        UNROLL
        for (int r = 0; r < rows; ++r) {
            const Floats weight = all(weights[r * tile_keys + j]);
            UNROLL
            for (int x = 0; x < vectors; ++x) sums[r][x] = weight * v[x] + sums[r][x];
        }
    }
    UNROLL
    for (int r = 0; r < rows; ++r) {
        UNROLL
        for (int x = 0; x < vectors; ++x) store(sums[r][x], output + r * dim + column + x * LANES);
    }
}

template <class T, int rows>
INLINE void accumulate_rows(const float* weights, const void* const* value, Index values, Index dim,
                            const void* const* next, float* output)
{
    Index d = 0;
    if constexpr (rows == 1 && LANES == 16) // whole rows of 128, as in dot.h; more sums would not fit into registers
        for (; d + 8 * LANES <= dim; d += 8 * LANES)
            accumulate_block<T, rows, 8>(weights, value, values, dim, d, next, output);
    for (; d + VECTORS * LANES <= dim; d += VECTORS * LANES)
        accumulate_block<T, rows, VECTORS>(weights, value, values, dim, d, next, output);
    for (; d + 2 * LANES <= dim; d += 2 * LANES)
        accumulate_block<T, rows, 2>(weights, value, values, dim, d, next, output);
    if (d < dim) accumulate_block<T, rows, 1>(weights, value, values, dim, d, next, output);
}

template <class T>
void accumulate_stored(const float* weights, Index rows, const void* const* value, Index values, Index dim,
                       const void* const* next, float* output)
{
    Index r = 0;
    for (; r + QUERIES <= rows; r += QUERIES, next = nullptr)
        accumulate_rows<T, QUERIES>(weights + r * tile_keys, value, values, dim, next, output + r * dim);
    for (; r < rows; ++r, next = nullptr)
        accumulate_rows<T, 1>(weights + r * tile_keys, value, values, dim, next, output + r * dim);
}

} // namespace
} // namespace headroom::parallel
