// What the copy engine of Hopper GPUs (TMA) needs to know of an array, made by the executor, passed inside a kernel's
// parameters: 128 bytes that nobody else reads.
#pragma once
#include <array>
#include <cstdint>

namespace headroom::cuda {

struct alignas(64) TensorMap {
    unsigned char opaque[128];
};

// A dense array of up to four dimensions, innermost first, and the box that one copy moves. The box is 128 bytes wide
// and lands swizzled: 16-byte chunk c of row r lies at chunk c ^ (r % 8) of its row (CU_TENSOR_MAP_SWIZZLE_128B).
// What lies outside the array reads as zero.
struct TensorBox {
    const void* data = nullptr;
    int element_bytes = 2;                             // 1, 2 or 4
    std::array<std::int64_t, 4> extent = {1, 1, 1, 1}; // elements
    std::array<std::int64_t, 3> byte_stride = {};      // of dimensions 1, 2, 3; multiples of 16
    std::array<int, 4> box = {1, 1, 1, 1};             // box[0] * element_bytes == 128
};

} // namespace headroom::cuda
