#include "experiments/bench/rotating_kv.h"

#include "reference/tensor/random.h"
#include "reference/tensor/stored_row.h"
#include <algorithm>
#include <cstring>
#include <new>

namespace headroom {
namespace {

constexpr std::align_val_t page{4096};
constexpr Index pattern = 1000003; // random numbers, repeated: what they are does not change how long it takes

} // namespace

RotatingKv::RotatingKv(const Shape& shape, DType type, Index copies) : bytes_(byte_size(type))
{
    for (const Index extent : shape) bytes_ *= extent;
    const auto size = static_cast<std::size_t>(bytes_);
    Random random(1);
    const Tensor numbers = random_uniform({pattern}, random, -1, 1);
    std::vector<std::byte> encoded(static_cast<std::size_t>(pattern * byte_size(type)));
    encode_row(type, numbers.values(), nullptr, 0, encoded.data());

    const auto made = [&] {
        memory_.emplace_back(static_cast<std::byte*>(::operator new[](size, page)));
        std::byte* const memory = memory_.back().get();
        for (std::size_t at = 0; at < size; at += encoded.size())
            std::memcpy(memory + at, encoded.data(), std::min(encoded.size(), size - at));
        return dense_view(memory, shape, type);
    };
    for (Index n = 0; n < copies; ++n) {
        const StoredView k = made(), v = made();
        views_.push_back({.k = k, .v = v});
    }
}

Index RotatingKv::copies_beyond(Index cache_bytes, Index bytes_of_a_copy)
{
    return std::max<Index>(2, cache_bytes * 4 / bytes_of_a_copy + 1);
}

std::vector<std::span<const std::byte>> RotatingKv::pieces(Index copy) const
{
    const auto size = static_cast<std::size_t>(bytes_);
    return {{view(copy).k.data, size}, {view(copy).v.data, size}};
}

void RotatingKv::Free::operator()(std::byte* memory) const { ::operator delete[](memory, page); }

} // namespace headroom
