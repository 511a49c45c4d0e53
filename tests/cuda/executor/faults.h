// Kernels that do one thing wrong each, and the line where they do it.
#pragma once
#include "cuda/executor/executor.h"

namespace headroom::cuda {

struct FaultyParams {
    float* out;      // [128]
    const float* in; // [128]
};
struct Faulty {
    Kernel<FaultyParams> kernel;
    int line; // 0: none in particular
    unsigned threads;
};
#define FAULTY(name) extern const Faulty name;
#include "tests/cuda/executor/faults.inc"
#undef FAULTY

} // namespace headroom::cuda
