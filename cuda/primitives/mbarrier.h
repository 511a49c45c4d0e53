// mbarrier: a barrier in shared memory that counts arrivals and bytes that copies have yet to bring. A phase completes
// when both are met; phases have alternating parity, the first 0.
//
//     mbar_init(bar, n)           one thread, then mbar_init_fence() and a block barrier
//     mbar_arrive(bar)            one arrival of n
//     mbar_expect_tx(bar, bytes)  one arrival, and `bytes` more to wait for
//     mbar_wait(bar, parity)      returns once the phase of that parity has completed
#pragma once
#include "cuda/primitives/cuda.h"

namespace headroom::cuda {

#ifdef __CUDACC__
PRIMITIVE void mbar_init(std::uint64_t* bar, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(bar)), "r"(count) : "memory");
}
PRIMITIVE void mbar_init_fence() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
PRIMITIVE void mbar_arrive(std::uint64_t* bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(bar)) : "memory");
}
PRIMITIVE void mbar_expect_tx(std::uint64_t* bar, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(bar)), "r"(bytes)
                 : "memory");
}
PRIMITIVE void mbar_wait(std::uint64_t* bar, int parity)
{
    asm volatile("{ .reg .pred done;\n"
                 "  wait_%=: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "  @!done bra wait_%=; }" ::"r"(shared_address(bar)),
                 "r"(parity)
                 : "memory");
}
#else
void mbar_init(std::uint64_t* bar, int count, simt::Site site = simt::Site::here());
PRIMITIVE void mbar_init_fence() {}
void mbar_arrive(std::uint64_t* bar, simt::Site site = simt::Site::here());
void mbar_expect_tx(std::uint64_t* bar, int bytes, simt::Site site = simt::Site::here());
void mbar_wait(std::uint64_t* bar, int parity, simt::Site site = simt::Site::here());
#endif

} // namespace headroom::cuda
