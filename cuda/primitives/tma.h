// TMA: Hopper's copy engine moves a box of an array, or a run of bytes, to shared memory and counts its bytes at an
// mbarrier (mbar_expect_tx says how many). One thread starts it. See TensorBox for the box and its swizzle.
#pragma once
#include "cuda/primitives/mbarrier.h"

namespace headroom::cuda {

#ifdef __CUDACC__
// `shared` is 1024-byte aligned; c0 (innermost) to c3 are elements. All of the box counts, what lies outside is zero.
PRIMITIVE void tma_load_4d(void* shared, const TensorMap* map, int c0, int c1, int c2, int c3, std::uint64_t* bar)
{
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4, %5}], [%6];" ::"r"(shared_address(shared)),
                 "l"(map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(shared_address(bar))
                 : "memory");
}
PRIMITIVE void bulk_load(void* shared, const void* global, int bytes, std::uint64_t* bar) // multiples of 16
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(shared)),
                 "l"(global), "r"(bytes), "r"(shared_address(bar))
                 : "memory");
}
PRIMITIVE void tma_prefetch_map(const TensorMap* map)
{
    asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}
// Makes ordinary writes to shared memory visible to the copy engine and to wgmma.
PRIMITIVE void fence_proxy_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
#else
void tma_load_4d(void* shared, const TensorMap* map, int c0, int c1, int c2, int c3, std::uint64_t* bar,
                 simt::Site site = simt::Site::here());
void bulk_load(void* shared, const void* global, int bytes, std::uint64_t* bar, simt::Site site = simt::Site::here());
PRIMITIVE void tma_prefetch_map(const TensorMap*) {}
PRIMITIVE void fence_proxy_async() {}
#endif

} // namespace headroom::cuda
