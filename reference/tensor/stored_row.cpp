#include "reference/tensor/stored_row.h"

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
    case DType::f16: return as([](const std::byte* at) { return decode_f16(load_as<std::uint16_t>(at)); });
    case DType::bf16: return as([](const std::byte* at) { return decode_bf16(load_as<std::uint16_t>(at)); });
    case DType::i8: return as([](const std::byte* at) { return static_cast<double>(load_as<std::int8_t>(at)); });
    case DType::f8e4m3: return as([](const std::byte* at) { return decode_f8e4m3(load_as<std::uint8_t>(at)); });
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
