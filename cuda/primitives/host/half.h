// CUDA's half and bfloat16 types, bit-exact: round to nearest even, CUDA's NaN.
#pragma once
#include "cuda/primitives/host/vectors.h"
#include <bit>
#include <cstdint>

namespace headroom::cuda::simt {

constexpr float float_from_half(std::uint16_t h)
{
    const std::uint32_t magnitude = h & 0x7fffu, sign = static_cast<std::uint32_t>(h & 0x8000u) << 16;
    if (magnitude >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | magnitude << 13);
    const float scaled = std::bit_cast<float>(magnitude << 13) * std::bit_cast<float>(0x77800000u); // 2^112
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | sign);
}
constexpr std::uint16_t half_from_float(float f)
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(f), magnitude = bits & 0x7fffffffu;
    const std::uint32_t sign = bits >> 16 & 0x8000u;
    if (magnitude > 0x7f800000u) return 0x7fff;
    if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
    if (magnitude < 0x38800000u) { // subnormal: adding 0.5 rounds at the right place
        const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
        return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u));
    }
    return static_cast<std::uint16_t>(sign | ((magnitude + 0xfffu + (magnitude >> 13 & 1) - 0x38000000u) >> 13));
}
constexpr float float_from_bfloat16(std::uint16_t b)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(b) << 16);
}
constexpr std::uint16_t bfloat16_from_float(float f)
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(f);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
    return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

// 1 sign, 4 exponent (bias 7), 3 mantissa bits; no infinity, all ones is NaN.
constexpr float float_from_e4m3(std::uint8_t code)
{
    const std::uint32_t exponent = code >> 3 & 15u, mantissa = code & 7u;
    const float sign = code & 0x80 ? -1.0f : 1.0f;
    if ((code & 0x7f) == 0x7f) return std::bit_cast<float>(0x7fffffffu);
    if (exponent == 0) return sign * static_cast<float>(mantissa) * 0x1p-9f;
    return sign * std::bit_cast<float>((exponent + 120) << 23 | mantissa << 20);
}

} // namespace headroom::cuda::simt

struct __half {
    std::uint16_t bits;
    __half() = default;
    constexpr __half(float f) : bits(headroom::cuda::simt::half_from_float(f)) {}
    constexpr operator float() const { return headroom::cuda::simt::float_from_half(bits); }
};
struct __nv_bfloat16 {
    std::uint16_t bits;
    __nv_bfloat16() = default;
    constexpr __nv_bfloat16(float f) : bits(headroom::cuda::simt::bfloat16_from_float(f)) {}
    constexpr operator float() const { return headroom::cuda::simt::float_from_bfloat16(bits); }
};
struct alignas(4) __half2 {
    __half x, y;
};
struct alignas(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;
};
inline float __half2float(__half h) { return h; }
inline __half __float2half(float f) { return {f}; }
inline __half __float2half_rn(float f) { return {f}; }
inline float __bfloat162float(__nv_bfloat16 b) { return b; }
inline __nv_bfloat16 __float2bfloat16(float f) { return {f}; }
inline __nv_bfloat16 __float2bfloat16_rn(float f) { return {f}; }
inline __half2 __floats2half2_rn(float x, float y) { return {x, y}; }
inline float2 __half22float2(__half2 v) { return {v.x, v.y}; }
inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return {x, y}; }
inline float2 __bfloat1622float2(__nv_bfloat162 v) { return {v.x, v.y}; }
