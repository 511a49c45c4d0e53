// Root-mean-square normalisation (Zhang, Sennrich 2019): x / sqrt(mean(x^2) + epsilon) * weight.
#pragma once
#include "reference/tensor/stored_tensor.h"

namespace headroom {

Tensor rms_norm(const Tensor& x, const StoredTensor& weight, double epsilon); // [T, E], [E] -> [T, E]

} // namespace headroom
