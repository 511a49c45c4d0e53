// A TensorMap of the executors without a GPU: the TensorBox itself, and what a copy of one box does.
#pragma once
#include "cuda/executor/tensor_map.h"
#include <cstddef>

namespace headroom::cuda {

void check(const TensorBox& box); // throws std::invalid_argument: what cuTensorMapEncodeTiled would refuse
TensorMap encode(const TensorBox& box);
TensorBox decode(const TensorMap& map);
std::size_t box_bytes(const TensorBox& box);
void copy_box(std::byte* shared, const TensorBox& box, std::array<int, 4> corner);

} // namespace headroom::cuda
