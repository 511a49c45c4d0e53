// The heads' outputs side by side again, a row for each token: what the output projection reads.
#pragma once
#include "reference/tensor/tensor.h"

headroom::Tensor join_heads(const headroom::Tensor& output); // [1, H, L, D] -> [L, H D]
