// The 16-bit and 8-bit floating-point formats, each number converted by a few operations on its bits.
//
// f16, bf16: IEEE 754 binary16, and the upper half of binary32, with subnormals, infinities and NaN.
// f8e4m3: OCP 8-bit floating point E4M3 (Open Compute Project, 2023): no infinities, largest 448, NaN is 0x7f and 0xff.
// Decoding is exact. Encoding goes to the nearest code, ties to the even one; f8e4m3 saturates.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace headroom {

static_assert(std::numeric_limits<double>::is_iec559 && std::numeric_limits<float>::is_iec559);

// The code of a magnitude, not NaN, in a format with these bits behind its sign; `beyond` if it is that large.
template <int exponent_bits, int mantissa_bits> unsigned encode_magnitude(double magnitude, unsigned beyond)
{
    constexpr int bias = (1 << (exponent_bits - 1)) - 1, dropped = 52 - mantissa_bits;
    constexpr auto power_of_two = [](int n) {
        return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52);
    };
    if (magnitude < power_of_two(1 - bias)) {
        // Subnormal: beside this anchor, the last bit of a double weighs as much as the last bit of the code.
        constexpr double anchor = power_of_two(1 - bias + dropped);
        return static_cast<unsigned>(std::bit_cast<std::uint64_t>(magnitude + anchor) -
                                     std::bit_cast<std::uint64_t>(anchor));
    }
    // Normal: add just less than half of the last bit that stays, or half if that bit is odd. A carry moves on into the
    // exponent, as it should.
    std::uint64_t bits = std::bit_cast<std::uint64_t>(magnitude);
    bits += (std::uint64_t{1} << (dropped - 1)) - 1 + (bits >> dropped & 1);
    const std::uint64_t code = (bits >> dropped) - (static_cast<std::uint64_t>(1023 - bias) << mantissa_bits);
    return static_cast<unsigned>(std::min<std::uint64_t>(code, beyond));
}

inline std::uint16_t encode_f16(double value)
{
    const unsigned sign = std::signbit(value) ? 0x8000u : 0;
    return static_cast<std::uint16_t>(sign |
                                      (std::isnan(value) ? 0x7e00 : encode_magnitude<5, 10>(std::fabs(value), 0x7c00)));
}

inline std::uint16_t encode_bf16(double value)
{
    const unsigned sign = std::signbit(value) ? 0x8000u : 0;
    return static_cast<std::uint16_t>(sign |
                                      (std::isnan(value) ? 0x7fc0 : encode_magnitude<8, 7>(std::fabs(value), 0x7f80)));
}

inline std::uint8_t encode_f8e4m3(double value)
{
    const unsigned sign = std::signbit(value) ? 0x80u : 0;
    return static_cast<std::uint8_t>(sign |
                                     (std::isnan(value) ? 0x7f : encode_magnitude<4, 3>(std::fabs(value), 0x7e)));
}

// Exponent and mantissa go where binary32 has them; the product then makes up for its larger bias. That is exact for
// subnormals too.
inline double decode_f16(std::uint16_t bits)
{
    const std::uint32_t magnitude = bits & 0x7fffu;
    const std::uint32_t wide = magnitude >= 0x7c00
                                   ? 0x7f800000u | magnitude << 13
                                   : std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude << 13) * 0x1p112f);
    return static_cast<double>(std::bit_cast<float>(wide | static_cast<std::uint32_t>(bits & 0x8000u) << 16));
}

inline double decode_bf16(std::uint16_t bits)
{
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
}

inline double decode_f8e4m3(std::uint8_t bits)
{
    const std::uint32_t magnitude = bits & 0x7fu;
    const float value =
        magnitude == 0x7f ? std::numeric_limits<float>::quiet_NaN() : std::bit_cast<float>(magnitude << 20) * 0x1p120f;
    return static_cast<double>(bits & 0x80u ? -value : value);
}

} // namespace headroom
