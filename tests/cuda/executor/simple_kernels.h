// Small kernels that use one thing each: what every executor must run alike.
#pragma once
#include "cuda/executor/executor.h"

namespace headroom::cuda {

struct RowSums {
    const float* values; // [rows, width]
    float* sums;         // [rows]
    int width;
};
struct Reverse {
    const float* from;
    float* to;
    int n;
};
extern const Kernel<RowSums> row_sums_kernel;
extern const Kernel<Reverse> reverse_kernel;

} // namespace headroom::cuda
