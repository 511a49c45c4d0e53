// Sums, maxima and changes of place within vectors; a quarter is four lanes.
#pragma once
#include "reference/parallel/kernels/vectors.h"

namespace headroom::parallel {
namespace {

#if LANES == 16
#define EACH_QUARTER(PART) PART(0), PART(4), PART(8), PART(12)
INLINE HalfFloats low_half(Floats x) { return __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7); }
INLINE HalfFloats high_half(Floats x) { return __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15); }
#elif LANES == 8
#define EACH_QUARTER(PART) PART(0), PART(4)
#else
#define EACH_QUARTER(PART) PART(0)
#endif
#define FIRSTS(k) k, k + LANES, k + 1, k + 1 + LANES        // a0 b0 a1 b1 of four lanes from k on
#define LASTS(k) k + 2, k + 2 + LANES, k + 3, k + 3 + LANES // a2 b2 a3 b3
#define FIRST_PAIRS(k) k, k + 1, k + LANES, k + 1 + LANES   // a0 a1 b0 b1
#define LAST_PAIRS(k) k + 2, k + 3, k + 2 + LANES, k + 3 + LANES

INLINE FourFloats quarters_sum(Floats x)
{
#if LANES == 16
    const HalfFloats y = low_half(x) + high_half(x);
    return __builtin_shufflevector(y, y, 0, 1, 2, 3) + __builtin_shufflevector(y, y, 4, 5, 6, 7);
#elif LANES == 8
    return __builtin_shufflevector(x, x, 0, 1, 2, 3) + __builtin_shufflevector(x, x, 4, 5, 6, 7);
#else
    return x;
#endif
}

#if LANES == 16
#define HALVES(from) from, from + 1, from + 2, from + 3, from + 8, from + 9, from + 10, from + 11
#define PAIRS(a, b)                                                                                                    \
    __builtin_shufflevector(a, b, HALVES(0), HALVES(16)) + __builtin_shufflevector(a, b, HALVES(4), HALVES(20))
// Quarter r of the result is the sum of the quarters of x[r].
INLINE Floats quarters_sums(const Floats (&x)[4])
{
    const Floats ab = PAIRS(x[0], x[1]), cd = PAIRS(x[2], x[3]);
    return PAIRS(ab, cd);
}
#endif

// In each quarter, sums of two of its numbers, alternately of a and of b: a b a b.
INLINE Floats two_quarter_sums(Floats a, Floats b)
{
    return __builtin_shufflevector(a, b, EACH_QUARTER(FIRSTS)) + __builtin_shufflevector(a, b, EACH_QUARTER(LASTS));
}
// From a b a b and c d c d the sums of whole quarters: a b c d.
INLINE Floats four_quarter_sums(Floats ab, Floats cd)
{
    return __builtin_shufflevector(ab, cd, EACH_QUARTER(FIRST_PAIRS)) +
           __builtin_shufflevector(ab, cd, EACH_QUARTER(LAST_PAIRS));
}
INLINE Floats four_quarter_sums(const Floats (&x)[4])
{
    return four_quarter_sums(two_quarter_sums(x[0], x[1]), two_quarter_sums(x[2], x[3]));
}

// Four rows become columns, in each quarter for itself: x[i] holds number i of each row, quarter by quarter.
INLINE void turn_quarters(Floats (&x)[4])
{
    const Floats a = __builtin_shufflevector(x[0], x[1], EACH_QUARTER(FIRSTS)),
                 b = __builtin_shufflevector(x[2], x[3], EACH_QUARTER(FIRSTS)),
                 c = __builtin_shufflevector(x[0], x[1], EACH_QUARTER(LASTS)),
                 d = __builtin_shufflevector(x[2], x[3], EACH_QUARTER(LASTS));
    x[0] = __builtin_shufflevector(a, b, EACH_QUARTER(FIRST_PAIRS));
    x[1] = __builtin_shufflevector(a, b, EACH_QUARTER(LAST_PAIRS));
    x[2] = __builtin_shufflevector(c, d, EACH_QUARTER(FIRST_PAIRS));
    x[3] = __builtin_shufflevector(c, d, EACH_QUARTER(LAST_PAIRS));
}
INLINE void turn(FourFloats (&x)[4]) // the same of four times four numbers
{
    const FourFloats a = __builtin_shufflevector(x[0], x[1], 0, 4, 1, 5),
                     b = __builtin_shufflevector(x[2], x[3], 0, 4, 1, 5),
                     c = __builtin_shufflevector(x[0], x[1], 2, 6, 3, 7),
                     d = __builtin_shufflevector(x[2], x[3], 2, 6, 3, 7);
    x[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    x[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    x[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    x[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}
INLINE FourFloats quarter(Floats x, int n)
{
    FourFloats parts[LANES / 4];
    __builtin_memcpy(parts, &x, sizeof x);
    return parts[n];
}

// Of four vectors whose quarters are a b c d: the four sums of a, those of b, of c, of d.
INLINE void sums_of_quarters(const Floats (&x)[4], FourFloats (&sums)[4])
{
#if LANES == 16
    const Floats all = quarters_sums(x);
    const Floats turned = __builtin_shufflevector(all, all, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    UNROLL
    for (int r = 0; r < 4; ++r) sums[r] = quarter(turned, r);
#else
    UNROLL
    for (int r = 0; r < 4; ++r) sums[r] = quarters_sum(x[r]);
    turn(sums);
#endif
}

INLINE float sum(Floats x)
{
    const FourFloats y = quarters_sum(x);
    return (y[0] + y[2]) + (y[1] + y[3]);
}
INLINE float maximum(Floats x) // a NaN in it may or may not come out
{
#if LANES == 16
    const HalfFloats y = low_half(x) > high_half(x) ? low_half(x) : high_half(x);
    const FourFloats a = __builtin_shufflevector(y, y, 0, 1, 2, 3), b = __builtin_shufflevector(y, y, 4, 5, 6, 7);
#elif LANES == 8
    const FourFloats a = __builtin_shufflevector(x, x, 0, 1, 2, 3), b = __builtin_shufflevector(x, x, 4, 5, 6, 7);
#else
    const FourFloats a = x, b = x;
#endif
    const FourFloats z = a > b ? a : b;
    const float left = z[0] > z[1] ? z[0] : z[1], right = z[2] > z[3] ? z[2] : z[3];
    return left > right ? left : right;
}

// Of each vector its sum, and its maximum, where a NaN may or may not come out.
INLINE void totals(const Floats (&x)[1], float (&to)[1]) { to[0] = sum(x[0]); }
INLINE void totals(const Floats (&x)[4], float (&to)[4]) { store_four(quarters_sum(four_quarter_sums(x)), to); }
INLINE void maxima(const Floats (&x)[1], float (&to)[1]) { to[0] = maximum(x[0]); }
INLINE void maxima(const Floats (&x)[4], float (&to)[4])
{
    const auto larger = [](auto a, auto b) __attribute__((always_inline)) { return a > b ? a : b; };
    const auto pairs = [&](Floats a, Floats b) __attribute__((always_inline))
    {
        return larger(__builtin_shufflevector(a, b, EACH_QUARTER(FIRSTS)),
                      __builtin_shufflevector(a, b, EACH_QUARTER(LASTS)));
    };
    const Floats ab = pairs(x[0], x[1]), cd = pairs(x[2], x[3]);
    const Floats of_quarters = larger(__builtin_shufflevector(ab, cd, EACH_QUARTER(FIRST_PAIRS)),
                                      __builtin_shufflevector(ab, cd, EACH_QUARTER(LAST_PAIRS)));
    FourFloats most = quarter(of_quarters, 0);
    UNROLL
    for (int n = 1; n < LANES / 4; ++n) most = larger(most, quarter(of_quarters, n));
    store_four(most, to);
}

} // namespace
} // namespace headroom::parallel
