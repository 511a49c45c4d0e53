// Kernels for what Hopper adds: mbarrier, the copy engine, wgmma.
#pragma once
#include "cuda/executor/executor.h"

namespace headroom::cuda {

struct
    RingParams { // a producer warp copies `tiles` runs of 512 bytes through a ring of two stages; three warps add them up
    const float* from; // [tiles, 128]
    float* sums;       // [3, 128]: each consumer warp for itself
    int tiles;
};
struct BoxParams {
    TensorMap map;
    float* out; // [rows * 32] as it lies in shared memory
    int corner[4];
    int rows;
};
struct ProductParams {
    TensorMap a, b;                   // A [64, 16 + 48 more], B as rows of columns or of k
    const std::uint32_t* a_registers; // [128, 4]
    float* d;                         // [128, N / 2]
    int accumulate;
};
extern const Kernel<RingParams> ring_kernel;
extern const Kernel<BoxParams> box_kernel;
extern const Kernel<ProductParams> product_ss_f16, product_ss_bf16, product_rs_f16, product_rs_bf16;

} // namespace headroom::cuda
