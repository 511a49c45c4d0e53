// wgmma: Hopper's asynchronous product of a warpgroup (four warps), D (64 x N, f32) += A (64 x 16) B (16 x N).
//
//     warp w, lane 4g + t     d[4j + 2r + e] = D[16w + 8r + g][8j + 2t + e]
//     A                       wgmma_ss: from shared memory; wgmma_rs_tb: from registers, as mma's a, rows 16w …
//     B                       from shared memory: a row per column of B (desc_k_sw128), or, for wgmma_rs_tb, a row per
//                             k (desc_mn_sw128: V as it is stored, [token][feature])
//
// Operands lie in 128-byte rows with TMA's swizzle, 8 rows are 1024 bytes; wider ones are halves of 64 columns one after
// the other. wgmma_fence() before the first product that touches registers, wgmma_commit() ends a group of products,
// wgmma_wait<N>() leaves at most the N newest groups under way: until then neither d nor a nor the operands may be touched.
#pragma once
#include "cuda/primitives/formats.h"
#include "cuda/primitives/mma.h"

#ifdef __CUDACC__
#include "cuda/primitives/wgmma_device.h"
#else
namespace headroom::cuda {

struct SharedDescriptor {
    const std::byte* data;
    int half_bytes;    // between halves of 64 columns
    bool k_is_the_row; // a row of 128 bytes belongs to one k
};
PRIMITIVE SharedDescriptor desc_k_sw128(const void* shared)
{
    return {static_cast<const std::byte*>(shared), 0, false};
}
PRIMITIVE SharedDescriptor desc_mn_sw128(const void* shared, int half_bytes)
{
    return {static_cast<const std::byte*>(shared), half_bytes, true};
}

namespace simt {
struct Product {
    float* d;
    const std::uint32_t* a; // registers, or null
    SharedDescriptor a_shared, b;
    int columns;
    bool accumulate;
    Widen number;
};
void wgmma(const Product& product, Site site);
void wgmma_commit(Site site);
void wgmma_wait(unsigned newest, Site site);
} // namespace simt

template <class F, int N>
PRIMITIVE void wgmma_ss(float (&d)[N / 2], SharedDescriptor a, SharedDescriptor b, int accumulate,
                        simt::Site site = simt::Site::here())
{
    simt::wgmma({d, nullptr, a, b, N, accumulate != 0, simt::widen<F>}, site);
}
template <class F, int N>
PRIMITIVE void wgmma_rs_tb(float (&d)[N / 2], const std::uint32_t (&a)[4], SharedDescriptor b, int accumulate,
                           simt::Site site = simt::Site::here())
{
    simt::wgmma({d, a, {}, b, N, accumulate != 0, simt::widen<F>}, site);
}
PRIMITIVE void wgmma_fence() {}
PRIMITIVE void wgmma_commit(simt::Site site = simt::Site::here()) { simt::wgmma_commit(site); }
template <int N> PRIMITIVE void wgmma_wait(simt::Site site = simt::Site::here()) { simt::wgmma_wait(N, site); }
template <int N> PRIMITIVE void reg_inc() {}
template <int N> PRIMITIVE void reg_dec() {}

} // namespace headroom::cuda
#endif
