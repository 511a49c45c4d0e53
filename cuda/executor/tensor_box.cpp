#include "cuda/executor/tensor_box.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace headroom::cuda {

static_assert(sizeof(TensorBox) <= sizeof(TensorMap) && std::is_trivially_copyable_v<TensorBox>);

void check(const TensorBox& box)
{
    const auto refuse = [](const std::string& why) { throw std::invalid_argument("tensor map: " + why); };
    if (reinterpret_cast<std::uintptr_t>(box.data) % 16) refuse("the array is not 16-byte aligned");
    if (box.box[0] * box.element_bytes != 128) refuse("the box is not 128 bytes wide");
    for (std::size_t i = 0; i < 4; ++i) {
        if (box.extent[i] < 1 || box.extent[i] > std::int64_t{1} << 32) refuse("an extent is not in 1 to 2^32");
        if (box.box[i] < 1 || box.box[i] > 256) refuse("a side of the box is not in 1 to 256");
        if (i < 3 &&
            (box.byte_stride[i] % 16 || box.byte_stride[i] <= 0 || box.byte_stride[i] >= std::int64_t{1} << 40))
            refuse("a stride is no multiple of 16 bytes below 2^40");
    }
}

TensorMap encode(const TensorBox& box)
{
    check(box);
    TensorMap map = {};
    std::memcpy(map.opaque, &box, sizeof box);
    return map;
}

TensorBox decode(const TensorMap& map)
{
    TensorBox box;
    std::memcpy(&box, map.opaque, sizeof box);
    return box;
}

std::size_t box_bytes(const TensorBox& box)
{
    return std::size_t{128} * unsigned(box.box[1] * box.box[2] * box.box[3]);
}

void copy_box(std::byte* shared, const TensorBox& box, std::array<int, 4> corner)
{
    const auto inside = [&](int axis, int at) { return at >= 0 && at < box.extent[std::size_t(axis)]; };
    const auto element = static_cast<std::size_t>(box.element_bytes);
    const auto* data = static_cast<const std::byte*>(box.data);
    std::size_t row = 0;
    for (int i3 = corner[3]; i3 < corner[3] + box.box[3]; ++i3)
        for (int i2 = corner[2]; i2 < corner[2] + box.box[2]; ++i2)
            for (int i1 = corner[1]; i1 < corner[1] + box.box[1]; ++i1, ++row) {
                const bool row_inside = inside(1, i1) && inside(2, i2) && inside(3, i3);
                const std::byte* from =
                    data + i1 * box.byte_stride[0] + i2 * box.byte_stride[1] + i3 * box.byte_stride[2];
                for (int x = 0; x < box.box[0]; ++x) {
                    const std::size_t column = static_cast<std::size_t>(x) * element; // bytes
                    std::byte* to = shared + row * 128 + (column ^ (row % 8) << 4);
                    if (row_inside && inside(0, corner[0] + x))
                        std::memcpy(to, from + (corner[0] + x) * box.element_bytes, element);
                    else
                        std::memset(to, 0, element);
                }
            }
}

BoxRows rows_inside(const TensorBox& box, std::array<int, 4> corner)
{
    struct Range {
        std::int64_t from, to;
    };
    const auto inside = [&](std::size_t axis) {
        return Range{std::max<std::int64_t>(corner[axis], 0),
                     std::min<std::int64_t>(std::int64_t{corner[axis]} + box.box[axis], box.extent[axis])};
    };
    const auto [x, end] = inside(0);
    BoxRows read{{}, x < end ? static_cast<std::size_t>((end - x) * box.element_bytes) : 0};
    const auto* data = static_cast<const std::byte*>(box.data) + x * box.element_bytes;
    for (auto [i3, end3] = inside(3); read.bytes_each && i3 < end3; ++i3)
        for (auto [i2, end2] = inside(2); i2 < end2; ++i2)
            for (auto [i1, end1] = inside(1); i1 < end1; ++i1)
                read.rows.push_back(data + i1 * box.byte_stride[0] + i2 * box.byte_stride[1] + i3 * box.byte_stride[2]);
    return read;
}

} // namespace headroom::cuda
