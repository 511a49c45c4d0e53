// Barriers with a number (0 to 15; __syncthreads is 0) and a count of threads, in whole warps: some wait, some only arrive.
#pragma once
#include "cuda/primitives/cuda.h"

namespace headroom::cuda {

#ifdef __CUDACC__
PRIMITIVE void named_sync(int id, int threads) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory"); }
PRIMITIVE void named_arrive(int id, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
#else
PRIMITIVE void named_sync(int id, int threads, simt::Site site = simt::Site::here())
{
    simt::current->block->barrier(id, static_cast<unsigned>(threads), true, site);
}
PRIMITIVE void named_arrive(int id, int threads, simt::Site site = simt::Site::here())
{
    simt::current->block->barrier(id, static_cast<unsigned>(threads), false, site);
}
#endif

} // namespace headroom::cuda
