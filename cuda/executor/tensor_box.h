// A TensorMap of the executors without a GPU: the TensorBox itself, and what a copy of one box does.
#pragma once
#include "cuda/executor/tensor_map.h"
#include <cstddef>
#include <vector>

namespace headroom::cuda {

void check(const TensorBox& box); // throws std::invalid_argument: what cuTensorMapEncodeTiled would refuse
TensorMap encode(const TensorBox& box);
TensorBox decode(const TensorMap& map);
std::size_t box_bytes(const TensorBox& box);
void copy_box(std::byte* shared, const TensorBox& box, std::array<int, 4> corner);

// What a copy reads: the rows of a box that lie inside the array, and how many bytes of each.
struct BoxRows {
    std::vector<const void*> rows;
    std::size_t bytes_each;
};
BoxRows rows_inside(const TensorBox& box, std::array<int, 4> corner);

} // namespace headroom::cuda
