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

} // namespace
} // namespace headroom::parallel
