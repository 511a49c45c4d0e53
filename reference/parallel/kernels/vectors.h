// A vector of LANES floats in the compilers' own notation, its stored forms, and the few functions that C++ lacks.
//
// a * b + c on vectors is one fused instruction, and a number beside a vector stands for all of its lanes.
#pragma once
#include "reference/parallel/kernels/kernels.h"
#if defined(__F16C__)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#define ROLLED _Pragma("clang loop unroll(disable)")
#else
#define UNROLL _Pragma("GCC unroll 32")
#define ROLLED _Pragma("GCC unroll 1")
#endif

namespace headroom::parallel {
namespace {

// Tiles of registers: what is loaded from the cache is used for all rows of the tile before it is dropped.
#if LANES == 16 // 32 registers
constexpr Index QUERIES = 4, VECTORS = 4, PRODUCT_ROWS = 6, PRODUCT_VECTORS = 4;
#else // 16 registers
constexpr Index QUERIES = 2, VECTORS = 4, PRODUCT_ROWS = 6, PRODUCT_VECTORS = 2;
#endif

typedef float Floats __attribute__((vector_size(4 * LANES)));
typedef std::int32_t Ints __attribute__((vector_size(4 * LANES)));
typedef float HalfFloats __attribute__((vector_size(2 * LANES)));
typedef float FourFloats __attribute__((vector_size(16)));

INLINE Floats load(const float* from)
{
    Floats x;
    __builtin_memcpy(&x, from, sizeof x);
    return x;
}
INLINE void store(Floats x, float* to) { __builtin_memcpy(to, &x, sizeof x); }
INLINE void store_four(FourFloats x, float* to) { __builtin_memcpy(to, &x, sizeof x); }
INLINE Floats all(float x) { return x - Floats{}; }

// What is used more than once, loaded once: compilers like to read it from memory again for each multiplication.
INLINE Floats in_register(Floats x)
{
#if defined(__AVX512F__) && LANES == 16
    asm("" : "+v"(x));
#elif defined(__AVX2__) && LANES == 8
    asm("" : "+x"(x));
#endif
    return x;
}
// sum += a * b, each in its register: compilers like to move sums about.
INLINE void add_product(Floats a, Floats b, Floats& sum)
{
#if defined(__AVX512F__) && LANES == 16
    asm("vfmadd231ps %1, %2, %0" : "+v"(sum) : "v"(a), "v"(b));
#elif defined(__AVX2__) && LANES == 8
    asm("vfmadd231ps %1, %2, %0" : "+x"(sum) : "x"(a), "x"(b));
#else
    sum = a * b + sum;
#endif
}
INLINE Ints bits(Floats x) { return (Ints)x; }
INLINE Floats from_bits(Ints x) { return (Floats)x; }

// The larger of each pair; a NaN in `or_nan` stays, one in `floor` does not.
INLINE Floats largest(Floats floor, Floats or_nan)
{
#if defined(__AVX512F__) && LANES == 16
    return _mm512_maskz_max_ps(0xffff, floor, or_nan);
#elif defined(__AVX2__) && LANES == 8
    return _mm256_max_ps(floor, or_nan);
#else
    return floor > or_nan ? floor : or_nan;
#endif
}

// ---- how numbers are stored: row(p, d) gives LANES numbers from column d on --------------------------------------

// LANES integers of another width, widened. (g++ 12 would widen each half for itself.)
template <class T> struct Narrow {
    typedef T Vector __attribute__((vector_size(LANES * sizeof(T))));
    static constexpr bool is_signed = T(-1) < T(0);
};
template <class T> INLINE Ints widened(const void* row, Index d)
{
    typename Narrow<T>::Vector x;
    __builtin_memcpy(&x, static_cast<const char*>(row) + d * Index{sizeof(T)}, sizeof x);
#if defined(__AVX512F__) && LANES == 16
    if constexpr (sizeof(T) == 2)
        return (Ints)_mm512_maskz_cvtepu16_epi32(0xffff, (__m256i)x);
    else if constexpr (Narrow<T>::is_signed)
        return (Ints)_mm512_maskz_cvtepi8_epi32(0xffff, (__m128i)x);
    else
        return (Ints)_mm512_maskz_cvtepu8_epi32(0xffff, (__m128i)x);
#elif defined(__AVX2__) && LANES == 8
    __m128i narrow = {};
    __builtin_memcpy(&narrow, &x, sizeof x);
    if constexpr (sizeof(T) == 2)
        return (Ints)_mm256_cvtepu16_epi32(narrow);
    else if constexpr (Narrow<T>::is_signed)
        return (Ints)_mm256_cvtepi8_epi32(narrow);
    else
        return (Ints)_mm256_cvtepu8_epi32(narrow);
#else
    return __builtin_convertvector(x, Ints);
#endif
}

struct F32 {
    static constexpr Index bytes = 4;
    INLINE Floats row(const void* p, Index d) { return load(static_cast<const float*>(p) + d); }
};
struct Bf16 { // the upper half of a float
    static constexpr Index bytes = 2;
    INLINE Floats row(const void* p, Index d) { return from_bits(widened<std::uint16_t>(p, d) << 16); }
    INLINE void pair(const void* p, Index d, Floats& even, Floats& odd) // places: cheaper than two rows
    {
        Ints both;
        __builtin_memcpy(&both, static_cast<const char*>(p) + 2 * d, sizeof both);
        both = bits(in_register(from_bits(both)));
        even = from_bits(both << 16);
        odd = from_bits(both & static_cast<std::int32_t>(0xffff0000u));
    }
};
struct F16 { // shifted into a float's place, the exponent is 112 too small, also of subnormals; infinity and NaN apart
    static constexpr Index bytes = 2;
    INLINE Floats row(const void* p, Index d)
    {
#if defined(__F16C__) && LANES == 16
        return _mm512_maskz_cvtph_ps(
            0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(static_cast<const char*>(p) + 2 * d)));
#elif defined(__F16C__) && LANES == 8
        return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(static_cast<const char*>(p) + 2 * d)));
#else
        const Ints x = widened<std::uint16_t>(p, d), magnitude = (x & 0x7fff) << 13;
        const Ints finite = bits(from_bits(magnitude) * 0x1p112f), special = magnitude | 0x7f800000;
        return from_bits((magnitude >= 0x0f800000 ? special : finite) | (x & 0x8000) << 16);
#endif
    }
};
struct F8e4m3 { // the same with 120; there is no infinity, and NaN is 0x7f
    static constexpr Index bytes = 1;
    INLINE Floats row(const void* p, Index d)
    {
        const Ints x = widened<std::uint8_t>(p, d), magnitude = (x & 0x7f) << 20;
        const Ints finite = bits(from_bits(magnitude) * 0x1p120f), nan = finite | 0x7fc00000;
        return from_bits((magnitude == 0x07f00000 ? nan : finite) | (x & 0x80) << 24);
    }
};
struct I8 {
    static constexpr Index bytes = 1;
    INLINE Floats row(const void* p, Index d) { return __builtin_convertvector(widened<std::int8_t>(p, d), Floats); }
};

// Vectors of columns from d on, a pair of them in the order that `arrange` describes.
template <class T> INLINE void unpack_vectors(const void* p, Index d, Floats (&x)[1]) { x[0] = T::row(p, d); }
template <class T, int vectors> INLINE void unpack_vectors(const void* p, Index d, Floats (&x)[vectors])
{
    UNROLL
    for (int n = 0; n < vectors; n += 2)
        if constexpr (requires { T::pair(p, d, x[0], x[1]); })
            T::pair(p, d + n * LANES, x[n], x[n + 1]);
        else
            x[n] = T::row(p, d + n * LANES), x[n + 1] = T::row(p, d + (n + 1) * LANES);
}

// ---- across lanes --------------------------------------------------------------------------------------------------

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

// ---- functions -----------------------------------------------------------------------------------------------------

// exp of x <= 0: 2^n (1 + r + r^2 / 2 + …) with x = n ln 2 + r. Exactly 0 below -88; NaN stays NaN.
INLINE Floats exp_of_negative(Floats x)
{
    x = largest(all(-88.03f), x);
    const Floats shifted = x * 1.44269504f + 12582912.f; // 1.5 * 2^23: the sum has no bits left behind the point
    const Floats n = shifted - 12582912.f;
    Floats r = n * -0.693359375f + x; // ln 2 in two parts
    r = n * 2.12194440e-4f + r;
    Floats p = r * (1.f / 720) + 1.f / 120; // the next term is at most 1.2e-7
    p = p * r + 1.f / 24;
    p = p * r + 1.f / 6;
    p = p * r + 0.5f;
    p = p * r + 1.f;
    p = p * r + 1.f;
    return p * from_bits((bits(shifted) + 127) << 23); // n = -127 leaves an exponent of 0: the number 0
}

} // namespace
} // namespace headroom::parallel
