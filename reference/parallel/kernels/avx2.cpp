// AVX2 with FMA and F16C: 16 registers of 8 floats.
#define LANES 8
#include "reference/parallel/kernels/loops.h"

namespace headroom::parallel {

extern const Kernels avx2_kernels;
const Kernels avx2_kernels = table("avx2");

} // namespace headroom::parallel
