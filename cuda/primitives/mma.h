// The tensor core's product of a warp: D (16x8, f32) += A (16x16) B (16x8), 16-bit inputs, exact products, f32 sums.
//
// With lane = 4g + t, each register holds two neighbours, the lower index in its lower half:
//     a[0] A[g][2t, 2t+1]     a[1] A[g+8][2t, 2t+1]     a[2] A[g][2t+8, +9]     a[3] A[g+8][2t+8, +9]
//     b[0] B[2t, 2t+1][g]     b[1] B[2t+8, +9][g]
//     d[0], d[1] D[g][2t, 2t+1]     d[2], d[3] D[g+8][2t, 2t+1]
#pragma once
#include "cuda/primitives/formats.h"

namespace headroom::cuda {

#ifdef __CUDACC__
template <class F> PRIMITIVE void mma_16816(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2])
{
    if constexpr (std::is_same_v<F, F16>)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    else
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
#else
namespace simt {
using Widen = float (*)(std::uint16_t);
template <class F> constexpr Widen widen = std::is_same_v<F, F16> ? float_from_half : float_from_bfloat16;
void mma_16816(float* d, const std::uint32_t* a, const std::uint32_t* b, Widen number, Site site);
} // namespace simt
template <class F>
PRIMITIVE void mma_16816(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2],
                         simt::Site site = simt::Site::here())
{
    simt::mma_16816(d, a, b, simt::widen<F>, site);
}
#endif

} // namespace headroom::cuda
