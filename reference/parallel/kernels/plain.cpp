// No instruction set beyond what every machine of this kind has: SSE2 on x86-64, NEON on ARM, 4 floats at a time.
#define LANES 4
#include "reference/parallel/kernels/loops.h"

namespace headroom::parallel {

extern const Kernels plain_kernels;
const Kernels plain_kernels = table("plain");

} // namespace headroom::parallel
