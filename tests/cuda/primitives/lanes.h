// One kernel per primitive: a warp whose lane l reads eight words in[8l …], applies the primitive, writes eight words
// out[8l …]. Tests compare with the layout in words.
#pragma once
#include "cuda/executor/executor.h"

namespace headroom::cuda {

struct Lanes {
    const std::uint32_t* in; // [threads, 8]
    std::uint32_t* out;      // [threads, 8]
};
#define LANES(name) extern const Kernel<Lanes> name##_lanes;
#include "tests/cuda/primitives/lanes.inc"
#undef LANES

} // namespace headroom::cuda
