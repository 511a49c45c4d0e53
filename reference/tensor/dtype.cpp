#include "reference/tensor/dtype.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace headroom {
namespace {

struct Description {
    DType type;
    std::string_view name;
    Index bytes;
};
constexpr std::array descriptions{Description{DType::f64, "f64", 8},       Description{DType::f32, "f32", 4},
                                  Description{DType::f16, "f16", 2},       Description{DType::bf16, "bf16", 2},
                                  Description{DType::f8e4m3, "f8e4m3", 1}, Description{DType::i8, "i8", 1},
                                  Description{DType::u8, "u8", 1},         Description{DType::i32, "i32", 4},
                                  Description{DType::i64, "i64", 8},       Description{DType::boolean, "bool", 1}};

const Description& description(DType type) { return descriptions.at(static_cast<std::size_t>(type)); }

// A small binary floating-point format: 1 sign bit, then exponent, then mantissa. Values between two neighbours
// round to the nearer one, ties to the even one; both formats' subnormals have the exponent 1 - bias.
struct SmallFloat {
    int exponent_bits, mantissa_bits;
    int bias() const { return (1 << (exponent_bits - 1)) - 1; }
};
constexpr SmallFloat f16{5, 10}, bf16{8, 7}, f8e4m3{4, 3};

double decode_finite(SmallFloat format, unsigned magnitude)
{
    const int exponent = static_cast<int>(magnitude >> format.mantissa_bits);
    const int mantissa = static_cast<int>(magnitude & ((1u << format.mantissa_bits) - 1));
    const int hidden = exponent == 0 ? 0 : 1 << format.mantissa_bits;
    return std::ldexp(hidden + mantissa, std::max(exponent, 1) - format.bias() - format.mantissa_bits);
}

// The magnitude's bits; what rounds beyond the largest finite code becomes the code after it.
unsigned encode_magnitude(SmallFloat format, double magnitude, unsigned largest)
{
    if (magnitude == 0) return 0;
    if (magnitude >= decode_finite(format, largest) * 2) return largest + 1;
    int exponent = 0;
    std::frexp(magnitude, &exponent); // magnitude in [2^(exponent-1), 2^exponent)
    const int scale =
        std::max(exponent - 1, 1 - format.bias()) - format.mantissa_bits; // weight of the last mantissa bit
    const auto steps = static_cast<unsigned>(std::nearbyint(std::ldexp(magnitude, -scale))); // exact, then to even
    const int biased = scale + format.mantissa_bits + format.bias(); // a carry moves into the exponent by itself
    return std::min((static_cast<unsigned>(biased - 1) << format.mantissa_bits) + steps, largest + 1);
}

template <class T> double load_as(const std::byte* from)
{
    T value;
    std::memcpy(&value, from, sizeof value);
    return static_cast<double>(value);
}
template <class T> void store_as(T value, std::byte* to) { std::memcpy(to, &value, sizeof value); }

// To the nearest integer, ties to even; saturates. Above 2^53 the ends of int64 are compared as they round in double.
template <class T> T to_integer(double value)
{
    if (std::isnan(value)) return 0;
    const double rounded = std::nearbyint(value);
    if (rounded >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    if (rounded <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    return static_cast<T>(rounded);
}

} // namespace

Index byte_size(DType type) { return description(type).bytes; }
std::string_view name(DType type) { return description(type).name; }

DType dtype_from_name(std::string_view wanted)
{
    std::string known;
    for (const Description& d : descriptions) {
        if (d.name == wanted) return d.type;
        known += (known.empty() ? "" : ", ") + std::string(d.name);
    }
    throw std::invalid_argument("dtype '" + std::string(wanted) + "' is unknown; known are " + known);
}

double decode_f16(std::uint16_t bits)
{
    const unsigned magnitude = bits & 0x7fffu;
    const double sign = bits & 0x8000u ? -1 : 1;
    if (magnitude > 0x7c00) return std::numeric_limits<double>::quiet_NaN();
    return sign * (magnitude == 0x7c00 ? std::numeric_limits<double>::infinity() : decode_finite(f16, magnitude));
}

double decode_bf16(std::uint16_t bits)
{
    const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
    float value;
    std::memcpy(&value, &wide, sizeof value);
    return static_cast<double>(value);
}

double decode_f8e4m3(std::uint8_t bits)
{
    const unsigned magnitude = bits & 0x7fu;
    if (magnitude == 0x7f) return std::numeric_limits<double>::quiet_NaN();
    return (bits & 0x80u ? -1 : 1) * decode_finite(f8e4m3, magnitude);
}

std::uint16_t encode_f16(double value)
{
    const unsigned sign = std::signbit(value) ? 0x8000u : 0;
    if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7e00);
    return static_cast<std::uint16_t>(sign | encode_magnitude(f16, std::fabs(value), 0x7bff));
}

std::uint16_t encode_bf16(double value)
{
    const unsigned sign = std::signbit(value) ? 0x8000u : 0;
    if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7fc0);
    return static_cast<std::uint16_t>(sign | encode_magnitude(bf16, std::fabs(value), 0x7f7f));
}

std::uint8_t encode_f8e4m3(double value)
{
    const unsigned sign = std::signbit(value) ? 0x80u : 0;
    if (std::isnan(value)) return static_cast<std::uint8_t>(sign | 0x7f);
    return static_cast<std::uint8_t>(sign | std::min(encode_magnitude(f8e4m3, std::fabs(value), 0x7e), 0x7eu));
}

double decode(DType type, const std::byte* from)
{
    switch (type) {
    case DType::f64: return load_as<double>(from);
    case DType::f32: return load_as<float>(from);
    case DType::f16: {
        std::uint16_t bits;
        std::memcpy(&bits, from, sizeof bits);
        return decode_f16(bits);
    }
    case DType::bf16: {
        std::uint16_t bits;
        std::memcpy(&bits, from, sizeof bits);
        return decode_bf16(bits);
    }
    case DType::f8e4m3: return decode_f8e4m3(static_cast<std::uint8_t>(*from));
    case DType::i8: return load_as<std::int8_t>(from);
    case DType::u8: return load_as<std::uint8_t>(from);
    case DType::i32: return load_as<std::int32_t>(from);
    case DType::i64: return load_as<std::int64_t>(from);
    case DType::boolean: return *from == std::byte{0} ? 0 : 1;
    }
    throw std::logic_error("unknown dtype");
}

void encode(DType type, double value, std::byte* to)
{
    switch (type) {
    case DType::f64: return store_as(value, to);
    case DType::f32: return store_as(static_cast<float>(value), to);
    case DType::f16: return store_as(encode_f16(value), to);
    case DType::bf16: return store_as(encode_bf16(value), to);
    case DType::f8e4m3: return store_as(encode_f8e4m3(value), to);
    case DType::i8: return store_as(std::max(to_integer<std::int8_t>(value), std::int8_t{-127}), to); // symmetric
    case DType::u8: return store_as(to_integer<std::uint8_t>(value), to);
    case DType::i32: return store_as(to_integer<std::int32_t>(value), to);
    case DType::i64: return store_as(to_integer<std::int64_t>(value), to);
    case DType::boolean: return store_as(static_cast<std::uint8_t>(value != 0), to);
    }
    throw std::logic_error("unknown dtype");
}

} // namespace headroom
