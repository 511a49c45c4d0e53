// Powers and logarithms of two in one instruction each: ex2.approx (relative error 2^-22; of -inf exactly 0), lg2.approx.
#pragma once
#include "cuda/primitives/cuda.h"
#include <limits>

namespace headroom::cuda {

constexpr float log2_of_e = 1.4426950408889634f, log_of_2 = 0.6931471805599453f;
constexpr float negative_infinity = -std::numeric_limits<float>::infinity();

#ifdef __CUDACC__
PRIMITIVE float exp2_fast(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
PRIMITIVE float log2_fast(float x)
{
    float y;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
#else
PRIMITIVE float exp2_fast(float x) { return std::exp2(x); }
PRIMITIVE float log2_fast(float x) { return std::log2(x); }
#endif

} // namespace headroom::cuda
