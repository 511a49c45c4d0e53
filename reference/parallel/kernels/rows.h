// Rows of stored numbers as floats: unpacked, or turned round.
#pragma once
#include "reference/parallel/kernels/vectors.h"

namespace headroom::parallel {
namespace {

template <class T> void unpack_stored(const void* const* row, Index rows, Index dim, float* out)
{
    for (Index j = 0; j < rows; ++j, out += dim) {
        Index d = 0;
        for (; d + 2 * LANES <= dim; d += 2 * LANES) {
            Floats pair[2];
            unpack_vectors<T>(row[j], d, pair);
            store(pair[0], out + d);
            store(pair[1], out + d + LANES);
        }
        if (d < dim) store(T::row(row[j], d), out + d);
    }
}

template <class T> void transpose_stored(const void* const* row, Index rows, Index dim, float* out, Index to)
{
    for (Index j = 0; j < rows; j += 4)
        for (Index d = 0; d < dim; d += LANES) {
            Floats x[4];
            UNROLL
            for (int i = 0; i < 4; ++i) x[i] = T::row(row[j + i < rows ? j + i : rows - 1], d);
            turn_quarters(x);
            UNROLL
            for (int i = 0; i < LANES; ++i) {
                store_four(quarter(x[i % 4], i / 4), out + (d + i) * to + j);
            }
        }
}

void arrange(Stored type, float* row, Index dim, bool back)
{
    if (type != Stored::bf16) return;
    for (Index d = 0; d + 2 * LANES <= dim; d += 2 * LANES) {
        float pair[2 * LANES];
        for (Index i = 0; i < LANES; ++i)
            for (Index odd = 0; odd < 2; ++odd) {
                const Index usual = 2 * i + odd, arranged = i + odd * LANES;
                pair[back ? usual : arranged] = row[d + (back ? arranged : usual)];
            }
        __builtin_memcpy(row + d, pair, sizeof pair);
    }
}

} // namespace
} // namespace headroom::parallel
