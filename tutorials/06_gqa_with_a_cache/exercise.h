// One decode step of a module that expands its keys for an attention which knows nothing of groups. (Values: the same.)
#pragma once
#include "reference/tensor/tensor.h"

struct Keys {
    headroom::Tensor kept; // what the cache holds after the step and the next step is given as `past`
    headroom::Tensor read; // [1, Hkv * group_size, N, D] what attention reads
};

// past [1, Hkv, N - 1, D], added [1, Hkv, 1, D]
Keys step(const headroom::Tensor& past, const headroom::Tensor& added, headroom::Index group_size);
