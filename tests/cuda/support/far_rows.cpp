#include "tests/cuda/support/far_rows.h"

#include <cstring>
#include <new>
#include <sys/mman.h>
#include <utility>

namespace headroom {
namespace {

void each_row(const StoredView& part, const auto& look)
{
    for (Index b = 0; b < part.extent[0]; ++b)
        for (Index h = 0; h < part.extent[1]; ++h)
            for (Index j = 0; j < part.extent[2]; ++j) look(b, h, j);
}

} // namespace

AddressSpace::AddressSpace(Index bytes) : bytes_(static_cast<std::size_t>(bytes))
{
    void* data = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<std::byte*>(data);
}
AddressSpace::AddressSpace(AddressSpace&& other) noexcept
    : bytes_(other.bytes_), data_(std::exchange(other.data_, nullptr))
{}
AddressSpace::~AddressSpace()
{
    if (data_) munmap(data_, bytes_);
}

Recipe two_of_each(DType type, DType q_type)
{
    Recipe r{.B = 2, .H = 4, .Hkv = 2, .L = 2, .S = 2, .D = 128, .type = type, .q_type = q_type};
    if (byte_size(type) == 1) r.scaling = Scaling::per_head_and_token;
    return r;
}

FarRows::FarRows(const AttentionProblem& compact, FarAxis axis) : problem_(compact)
{
    stretch(problem_.kv.k, static_cast<int>(axis));
    stretch(problem_.kv.v, static_cast<int>(axis));
}

void FarRows::stretch(StoredView& part, int axis)
{
    const StoredView compact = part;
    const Index room = far_apart + (Index{1} << 20);
    const auto width = static_cast<std::size_t>(compact.extent[3] * byte_size(compact.type));
    std::byte* rows = memory_.emplace_back(room).data();
    part.data = rows;
    part.byte_stride[axis] = far_apart;
    each_row(compact, [&](Index b, Index h, Index j) {
        std::memcpy(rows + byte_offset(part, b, h, j), compact.data + byte_offset(compact, b, h, j), width);
    });
    if (!compact.scale) return;
    auto* scales = reinterpret_cast<float*>(memory_.emplace_back(room).data());
    part.scale = scales;
    part.scale_stride[axis] = far_apart / Index{sizeof(float)};
    each_row(compact, [&](Index b, Index h, Index j) {
        scales[scale_offset(part, b, h, j)] = compact.scale[scale_offset(compact, b, h, j)];
    });
}

} // namespace headroom
