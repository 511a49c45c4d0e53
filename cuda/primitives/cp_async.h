// cp.async: 16 bytes from global to shared memory, past the registers, while the thread goes on.
//
//     cp_async_16(shared, global, wanted)   starts a copy; 16 zero bytes where not wanted
//     cp_async_commit()                     ends a group of this thread's copies
//     cp_async_wait<N>()                    until at most the N newest groups of this thread are under way; the data
//                                           of other threads needs a barrier afterwards
#pragma once
#include "cuda/primitives/cuda.h"

namespace headroom::cuda {

#ifdef __CUDACC__
PRIMITIVE void cp_async_16(void* shared, const void* global, bool wanted = true)
{
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(shared_address(shared)), "l"(global),
                 "r"(wanted ? 16 : 0)
                 : "memory");
}
PRIMITIVE void cp_async_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> PRIMITIVE void cp_async_wait() { asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory"); }
#else
namespace simt {
void cp_async(void* shared, const void* global, unsigned bytes, bool wanted, Site site);
void cp_async_commit();
void cp_async_wait(unsigned newest, Site site);
} // namespace simt
PRIMITIVE void cp_async_16(void* shared, const void* global, bool wanted = true, simt::Site site = simt::Site::here())
{
    simt::cp_async(shared, global, 16, wanted, site);
}
PRIMITIVE void cp_async_commit() { simt::cp_async_commit(); }
template <int N> PRIMITIVE void cp_async_wait(simt::Site site = simt::Site::here()) { simt::cp_async_wait(N, site); }
#endif

} // namespace headroom::cuda
