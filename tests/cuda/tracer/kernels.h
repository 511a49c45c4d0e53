// Kernels whose memory traffic, races and other faults are known.
#pragma once
#include "cuda/executor/executor.h"

namespace headroom::cuda {

struct Traced {
    const float* from;
    float* to;
    int stride;
};
#define TRACED(name)                                                                                                   \
    extern const Kernel<Traced> name;                                                                                  \
    extern const int name##_line;
#include "tests/cuda/tracer/kernels.inc"
#undef TRACED

} // namespace headroom::cuda
