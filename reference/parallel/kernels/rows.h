// Rows of stored numbers as floats: unpacked, or turned round.
#pragma once
#include "reference/parallel/kernels/across_lanes.h"

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
    constexpr Index some = 64; // columns: more lines of `out`, which often lie 512 bytes apart, find no room in L1
    for (Index begin = 0; begin < dim; begin += some)
        for (Index j = 0; j < rows; j += 4)
            for (Index d = begin; d < dim && d < begin + some; d += LANES) {
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

// Numbers k to k + 3 of what is picked from two vectors a, b: a0 a2 …; a1 a3 …; a0 b0 a1 b1 …, from their first halves and
// from their second ones.
#define EVENS(k) 2 * k, 2 * k + 2, 2 * k + 4, 2 * k + 6
#define ODDS(k) 2 * k + 1, 2 * k + 3, 2 * k + 5, 2 * k + 7
#define LOW_IN_TURN(k) k / 2, LANES + k / 2, k / 2 + 1, LANES + k / 2 + 1
#define HIGH_IN_TURN(k) (LANES + k) / 2, LANES + (LANES + k) / 2, (LANES + k) / 2 + 1, LANES + (LANES + k) / 2 + 1
void arrange(Stored type, float* row, Index dim, bool back)
{
    if (type != Stored::bf16) return;
    for (Index d = 0; d + 2 * LANES <= dim; d += 2 * LANES) {
        const Floats a = load(row + d), b = load(row + d + LANES);
        store(back ? __builtin_shufflevector(a, b, EACH_QUARTER(LOW_IN_TURN))
                   : __builtin_shufflevector(a, b, EACH_QUARTER(EVENS)),
              row + d);
        store(back ? __builtin_shufflevector(a, b, EACH_QUARTER(HIGH_IN_TURN))
                   : __builtin_shufflevector(a, b, EACH_QUARTER(ODDS)),
              row + d + LANES);
    }
}

} // namespace
} // namespace headroom::parallel
