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

template <class T> T bits_at(const std::byte* from)
{
    T bits;
    std::memcpy(&bits, from, sizeof bits);
    return bits;
}
template <class T> double load_as(const std::byte* from) { return static_cast<double>(bits_at<T>(from)); }
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

double decode(DType type, const std::byte* from)
{
    switch (type) {
    case DType::f64: return load_as<double>(from);
    case DType::f32: return load_as<float>(from);
    case DType::f16: return decode_f16(bits_at<std::uint16_t>(from));
    case DType::bf16: return decode_bf16(bits_at<std::uint16_t>(from));
    case DType::f8e4m3: return decode_f8e4m3(bits_at<std::uint8_t>(from));
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
