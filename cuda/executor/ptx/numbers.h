// PTX's number types, and how a register of a warp holds them: a word per lane, two for 64-bit types, and one 32-bit mask
// for a whole predicate.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace headroom::cuda::ptx {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

struct Half {
    u16 bits;
};
struct BFloat {
    u16 bits;
};
template <class H> struct Pair { // f16x2, bf16x2
    H low, high;
};

template <class T> T from_word(u32 word)
{
    if constexpr (sizeof(T) == 4)
        return std::bit_cast<T>(word);
    else if constexpr (sizeof(T) == 2)
        return std::bit_cast<T>(static_cast<u16>(word));
    else
        return std::bit_cast<T>(static_cast<u8>(word));
}
template <class T> u32 to_word(T value)
{
    if constexpr (sizeof(T) == 4)
        return std::bit_cast<u32>(value);
    else if constexpr (sizeof(T) == 2)
        return std::bit_cast<u16>(value);
    else
        return std::bit_cast<u8>(value);
}

double widen(Half h);
double widen(BFloat b);
inline double widen(float f) { return f; }
inline double widen(double f) { return f; }
// To nearest even, once, from a double.
template <class F> F narrow(double value);
template <> Half narrow<Half>(double value);
template <> BFloat narrow<BFloat>(double value);
template <> inline float narrow<float>(double value) { return static_cast<float>(value); }
template <> inline double narrow<double>(double value) { return value; }

template <class T>
constexpr bool is_float = std::is_floating_point_v<T> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat>;

} // namespace headroom::cuda::ptx
