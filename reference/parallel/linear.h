// A model's matrix products with the kernels of attention: rows of a weight matrix are read as a head's keys are.
#pragma once
#include "reference/parallel/parallel_attention.h"

namespace headroom {

// y = x W^T for x [T, in], W [out, in] of f32, y [T, out]; calculated in f32
void parallel_linear(std::span<const float> x, const StoredView& w, std::span<float> y,
                     const ParallelOptions& options = {});
void parallel_linear(const Tensor& x, const StoredView& w, Tensor& y, const ParallelOptions& options = {});

} // namespace headroom
