#include "cuda/executor/ptx/numbers.h"

namespace headroom::cuda::ptx {
namespace {

// A binary format of 1 sign bit, `exponent_bits` and `mantissa_bits`.
double decode(u16 bits, int exponent_bits, int mantissa_bits)
{
    const int exponent = bits >> mantissa_bits & ((1 << exponent_bits) - 1);
    const int mantissa = bits & ((1 << mantissa_bits) - 1);
    const int bias = (1 << (exponent_bits - 1)) - 1;
    double value = 0;
    if (exponent == (1 << exponent_bits) - 1)
        value = mantissa ? NAN : INFINITY;
    else if (exponent == 0)
        value = std::ldexp(mantissa, 1 - bias - mantissa_bits);
    else
        value = std::ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits);
    return bits & 0x8000 ? -value : value;
}

u16 encode(double value, int exponent_bits, int mantissa_bits)
{
    if (std::isnan(value)) return 0x7fff;
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const u16 sign = std::signbit(value) ? 0x8000 : 0;
    const double magnitude = std::fabs(value);
    const auto infinity = static_cast<u16>(((1 << exponent_bits) - 1) << mantissa_bits);
    if (std::isinf(magnitude)) return static_cast<u16>(sign | infinity);
    if (magnitude == 0) return sign;
    const int exponent = std::max(std::ilogb(magnitude), 1 - bias);
    // In units of the last place; a carry into the exponent is an ordinary addition.
    const double units = std::nearbyint(std::ldexp(magnitude, mantissa_bits - exponent));
    const double encoded = units + std::ldexp(exponent + bias - 1, mantissa_bits);
    return encoded >= infinity ? static_cast<u16>(sign | infinity) : static_cast<u16>(sign | static_cast<u16>(encoded));
}

} // namespace

double widen(Half h) { return decode(h.bits, 5, 10); }
double widen(BFloat b) { return std::bit_cast<float>(static_cast<u32>(b.bits) << 16); }
template <> Half narrow<Half>(double value) { return {encode(value, 5, 10)}; }
template <> BFloat narrow<BFloat>(double value) { return {encode(value, 8, 7)}; }

} // namespace headroom::cuda::ptx
