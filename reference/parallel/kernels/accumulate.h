// output += weights V where values lie: value by value, sums of some rows and columns of the output in registers.
#pragma once
#include "reference/parallel/kernels/fetch.h"

namespace headroom::parallel {
namespace {

template <class T, int rows, int vectors, bool fetches, Spacing lie>
INLINE void accumulate_value(const float* weights, const void* value, const void* soon, Index dim, Index column,
                             Floats (&sums)[rows][vectors])
{
    Floats v[vectors];
    unpack_vectors<T>(value, column, v);
    if (fetches && column == 0) { // all of the row, for the other columns as well
        UNROLL
        for (Index byte = 0; byte < dim * T::bytes; byte += line) fetch<lie>(soon, byte);
    }
    UNROLL
    for (int x = 0; x < vectors; ++x) v[x] = in_register(v[x]);
    UNROLL
    for (int r = 0; r < rows; ++r) {
        const Floats weight = in_register(all(weights[r * tile_keys]));
        UNROLL
        for (int x = 0; x < vectors; ++x) sums[r][x] = weight * v[x] + sums[r][x];
    }
}

template <class T, int rows, int vectors, bool fetches, Spacing lie>
INLINE void accumulate_block(const float* weights, const StoredRows& values, Index count, Index dim, Index column,
                             float* output)
{
    Floats sums[rows][vectors];
    UNROLL
    for (int r = 0; r < rows; ++r) {
        UNROLL
        for (int x = 0; x < vectors; ++x) sums[r][x] = load(output + r * dim + column + x * LANES);
    }
    for (Index j = 0; j < count;) {
        RowWalk<fetches, lie> walk(values, j);
        ROLLED
        for (const Index end = count - j < 4 ? count : j + 4; j < end; ++j, walk.step())
            accumulate_value<T, rows, vectors, fetches, lie>(weights + j, walk.row(), walk.soon(), dim, column, sums);
    }
    UNROLL
    for (int r = 0; r < rows; ++r) {
        UNROLL
        for (int x = 0; x < vectors; ++x) store(sums[r][x], output + r * dim + column + x * LANES);
    }
}

template <class T, int rows, bool fetches, Spacing lie, Index known_dim>
INLINE void accumulate_rows(const float* weights, const StoredRows& values, Index count, Index any_dim, float* output)
{
    constexpr int most = known_dim != 128 ? VECTORS : rows <= 2 ? 8 : 6; // of 128 columns all, or all but two vectors
    constexpr int rest = known_dim / LANES % most;
    const Index dim = known_dim ? known_dim : any_dim;
    Index d = 0;
    UNROLL
    for (; d + most * LANES <= known_dim; d += most * LANES)
        accumulate_block<T, rows, most, fetches, lie>(weights, values, count, known_dim, d, output);
    if constexpr (rest > 0) accumulate_block<T, rows, rest, fetches, lie>(weights, values, count, known_dim, d, output);
    if constexpr (known_dim == 0) {
        for (; d + most * LANES <= dim; d += most * LANES)
            accumulate_block<T, rows, most, fetches, lie>(weights, values, count, dim, d, output);
        for (; d + 2 * LANES <= dim; d += 2 * LANES)
            accumulate_block<T, rows, 2, fetches, lie>(weights, values, count, dim, d, output);
        if (d < dim) accumulate_block<T, rows, 1, fetches, lie>(weights, values, count, dim, d, output);
    }
}

template <class T, Spacing lie, Index known_dim>
INLINE void accumulate_all(const float* weights, Index rows, StoredRows values, Index count, Index dim, float* output)
{
    Index r = 0;
    if (QUERIES <= rows) { // these fetch; those behind them, only what they read themselves
        accumulate_rows<T, QUERIES, true, lie, known_dim>(weights, values, count, dim, output);
        values.ahead = 0, r = QUERIES;
    }
    for (; r + QUERIES <= rows; r += QUERIES)
        accumulate_rows<T, QUERIES, false, lie, known_dim>(weights + r * tile_keys, values, count, dim,
                                                           output + r * dim);
    if (QUERIES > 2 && r + 2 <= rows) {
        accumulate_rows<T, 2, true, lie, known_dim>(weights + r * tile_keys, values, count, dim, output + r * dim);
        values.ahead = 0, r += 2;
    }
    if (r < rows)
        accumulate_rows<T, 1, true, lie, known_dim>(weights + r * tile_keys, values, count, dim, output + r * dim);
}

template <class T, Spacing lie>
INLINE void accumulate_dim(const float* weights, Index rows, const StoredRows& values, Index count, Index dim,
                           float* output)
{
    if (LANES == 16 && dim == 128) return accumulate_all<T, lie, 128>(weights, rows, values, count, dim, output);
    if (LANES == 16 && dim == 64) return accumulate_all<T, lie, 64>(weights, rows, values, count, dim, output);
    accumulate_all<T, lie, 0>(weights, rows, values, count, dim, output);
}

template <class T>
void accumulate_stored(const StoredRows& values, Index count, const float* weights, Index rows, Index dim,
                       float* output)
{
    if (values.stride == 0) return accumulate_all<T, Spacing::anyhow, 0>(weights, rows, values, count, dim, output);
    if (are_near(values)) return accumulate_dim<T, Spacing::near>(weights, rows, values, count, dim, output);
    accumulate_dim<T, Spacing::far>(weights, rows, values, count, dim, output);
}

} // namespace
} // namespace headroom::parallel
