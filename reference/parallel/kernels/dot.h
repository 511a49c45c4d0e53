// scores = q K^T where keys lie: key by key, for up to four rows of q at once.
#pragma once
#include "reference/parallel/kernels/across_lanes.h"
#include "reference/parallel/kernels/fetch.h"

namespace headroom::parallel {
namespace {

// sums[r] += q[r] . key in `vectors` vectors of columns, from d on
template <class T, bool fetches, Spacing lie, int vectors, int rows>
INLINE void dot_step(const float* q, const void* key, const void* soon, Index d, Index dim, Floats (&sums)[rows])
{
    Floats k[vectors];
    unpack_vectors<T>(key, d, k);
    UNROLL
    for (int x = 0; x < vectors; ++x) {
        const Index column = d + x * LANES;
        if (fetches && begins_a_line(column, T::bytes)) fetch<lie>(soon, column * T::bytes);
        UNROLL
        for (int r = 0; r < rows; ++r) add_product(load(q + r * dim + column), k[x], sums[r]);
    }
}

// known_dim: dim, if it is one for which q is kept in registers, else 0
template <class T, bool fetches, Spacing lie, Index known_dim, int rows>
INLINE void dot_key(const float* q, const void* key, const void* soon, Index dim, Floats (&sums)[rows])
{
    if constexpr (known_dim > 0) {
        UNROLL
        for (Index d = 0; d < known_dim; d += 2 * LANES) dot_step<T, fetches, lie, 2>(q, key, soon, d, known_dim, sums);
    } else {
        Index d = 0;
        for (; d + 4 * LANES <= dim; d += 4 * LANES) dot_step<T, fetches, lie, 4>(q, key, soon, d, dim, sums);
        for (; d + 2 * LANES <= dim; d += 2 * LANES) dot_step<T, fetches, lie, 2>(q, key, soon, d, dim, sums);
        if (d < dim) dot_step<T, fetches, lie, 1>(q, key, soon, d, dim, sums);
    }
}

// What is kept of a key until four of them are there, and then their scores.
INLINE Floats of_a_key(const Floats (&sums)[1]) { return sums[0]; }
INLINE Floats of_a_key(const Floats (&sums)[2]) { return two_quarter_sums(sums[0], sums[1]); }
INLINE Floats of_a_key(const Floats (&sums)[4]) { return four_quarter_sums(sums); }

template <int rows> INLINE void store_scores(const Floats (&key)[4], float* scores)
{
    if constexpr (rows == 1) {
        store_four(quarters_sum(four_quarter_sums(key)), scores);
    } else if constexpr (rows == 2) {
        const FourFloats ab = quarters_sum(four_quarter_sums(key[0], key[1])),
                         cd = quarters_sum(four_quarter_sums(key[2], key[3]));
        store_four(__builtin_shufflevector(ab, cd, 0, 2, 4, 6), scores);
        store_four(__builtin_shufflevector(ab, cd, 1, 3, 5, 7), scores + tile_keys);
    } else {
        FourFloats of_rows[4];
        sums_of_quarters(key, of_rows);
        UNROLL
        for (int r = 0; r < 4; ++r) store_four(of_rows[r], scores + r * tile_keys);
    }
}

// Four keys from the j-th on; behind the last of `left`, that one once more.
template <class T, int rows, bool fetches, Spacing lie, Index known_dim>
INLINE void dot_four(const float* __restrict q, const StoredRows& keys, Index j, Index left, Index dim,
                     float* __restrict scores)
{
    Floats kept[4] = {};
    RowWalk<fetches, lie> walk(keys, j);
    ROLLED
    for (Index n = 1; n <= 4; ++n) {
        Floats sums[rows] = {};
        dot_key<T, fetches, lie, known_dim>(q, walk.row(), walk.soon(), dim, sums);
        kept[0] = kept[1], kept[1] = kept[2], kept[2] = kept[3], kept[3] = of_a_key(sums);
        if (n < left) walk.step();
    }
    store_scores<rows>(kept, scores + j);
}

template <class T, int rows, bool fetches, Spacing lie, Index known_dim>
INLINE void dot_rows(const float* __restrict q, const StoredRows& keys, Index count, Index dim,
                     float* __restrict scores)
{
    for (Index j = 0; j < count; j += 4) dot_four<T, rows, fetches, lie, known_dim>(q, keys, j, count - j, dim, scores);
}

template <class T, Spacing lie, Index known_dim>
INLINE void dot_all(const float* q, Index rows, StoredRows keys, Index count, Index dim, float* scores)
{
    Index r = 0;
    if (4 <= rows) { // these fetch; those behind them, only what they read themselves
        dot_rows<T, 4, true, lie, known_dim>(q, keys, count, dim, scores);
        keys.ahead = 0, r = 4;
    }
    for (; r + 4 <= rows; r += 4)
        dot_rows<T, 4, false, lie, known_dim>(q + r * dim, keys, count, dim, scores + r * tile_keys);
    if (r + 2 <= rows) {
        dot_rows<T, 2, true, lie, known_dim>(q + r * dim, keys, count, dim, scores + r * tile_keys);
        keys.ahead = 0, r += 2;
    }
    if (r < rows) dot_rows<T, 1, true, lie, known_dim>(q + r * dim, keys, count, dim, scores + r * tile_keys);
}

template <class T, Spacing lie>
INLINE void dot_dim(const float* q, Index rows, const StoredRows& keys, Index count, Index dim, float* scores)
{
    if (LANES == 16 && dim == 128) return dot_all<T, lie, 128>(q, rows, keys, count, dim, scores);
    if (LANES == 16 && dim == 64) return dot_all<T, lie, 64>(q, rows, keys, count, dim, scores);
    dot_all<T, lie, 0>(q, rows, keys, count, dim, scores);
}

template <class T>
void dot_stored(const StoredRows& keys, Index count, const float* q, Index rows, Index dim, float* scores)
{
    if (keys.stride == 0) return dot_all<T, Spacing::anyhow, 0>(q, rows, keys, count, dim, scores);
    if (are_near(keys)) return dot_dim<T, Spacing::near>(q, rows, keys, count, dim, scores);
    dot_dim<T, Spacing::far>(q, rows, keys, count, dim, scores);
}

} // namespace
} // namespace headroom::parallel
