#include "reference/tensor/stored_row.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace headroom {
namespace {

template <class T> T load_as(const std::byte* from)
{
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

// binary16 moved to binary32's place, its exponent corrected by a multiplication, which is exact for subnormals too.
double widen_f16(std::uint16_t bits)
{
    const std::uint32_t magnitude = bits & 0x7fffu;
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    const auto wide = magnitude >= 0x7c00u
                          ? (magnitude << 13 | 0x7f800000u)
                          : std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude << 13) * 0x1p112f);
    return static_cast<double>(std::bit_cast<float>(wide | sign));
}

const std::array<double, 256>& f8e4m3_values()
{
    static const std::array<double, 256> values = [] {
        std::array<double, 256> all{};
        for (unsigned code = 0; code < 256; ++code) all[code] = decode_f8e4m3(static_cast<std::uint8_t>(code));
        return all;
    }();
    return values;
}

template <class Decode> void each(const std::byte* from, Index stride, std::span<double> row, Decode decode_one)
{
    for (double& x : row) {
        x = decode_one(from);
        from += stride;
    }
}

} // namespace

void decode_row(DType type, const std::byte* from, Index stride, std::span<double> row)
{
    const auto as = [&](auto decode_one) { each(from, stride, row, decode_one); };
    switch (type) {
    case DType::f64: return as(load_as<double>);
    case DType::f32: return as([](const std::byte* at) { return static_cast<double>(load_as<float>(at)); });
    case DType::f16: return as([](const std::byte* at) { return widen_f16(load_as<std::uint16_t>(at)); });
    case DType::bf16: return as([](const std::byte* at) { return decode_bf16(load_as<std::uint16_t>(at)); });
    case DType::i8: return as([](const std::byte* at) { return static_cast<double>(load_as<std::int8_t>(at)); });
    case DType::f8e4m3: {
        const std::array<double, 256>& values = f8e4m3_values();
        return as([&](const std::byte* at) { return values[static_cast<std::size_t>(*at)]; });
    }
    default: return as([type](const std::byte* at) { return decode(type, at); });
    }
}

void encode_row(DType type, std::span<const double> row, const float* scale, Index scale_stride, std::byte* to)
{
    if (type == DType::f32 && !scale) { // the most frequent way into a cache
        for (const double x : row) {
            const float stored = static_cast<float>(x);
            std::memcpy(to, &stored, sizeof stored);
            to += sizeof stored;
        }
        return;
    }
    const Index size = byte_size(type);
    for (const double x : row) {
        encode(type, scale ? x / static_cast<double>(*scale) : x, to);
        to += size;
        if (scale) scale += scale_stride;
    }
}

float scale_for(DType type, std::span<const double> row)
{
    double largest = 0;
    for (const double x : row) {
        if (!std::isfinite(x)) return std::numeric_limits<float>::quiet_NaN();
        largest = std::fmax(largest, std::fabs(x));
    }
    const float scale = static_cast<float>(largest / (type == DType::f8e4m3 ? 448 : 127));
    return scale > 0 ? scale : 1;
}

} // namespace headroom
