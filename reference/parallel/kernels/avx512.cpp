// AVX-512: 32 registers of 16 floats.
#define LANES 16
#include "reference/parallel/kernels/loops.h"

namespace headroom::parallel {

extern const Kernels avx512_kernels;
const Kernels avx512_kernels = table("avx512");

} // namespace headroom::parallel
