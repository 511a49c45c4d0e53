// CUDA's own names on the host. Kernels compiled by g++ or clang see these instead of nvcc's headers.
#pragma once
#include "cuda/executor/simt/access.h"
#include "cuda/executor/simt/block.h"
#include "cuda/primitives/host/atomics.h"
#include "cuda/primitives/host/half.h"
#include "cuda/primitives/host/math.h"
#include "cuda/primitives/host/vectors.h"
#include "cuda/primitives/host/warp.h"

// Never define __noinline__: libstdc++ uses the word.
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__
#define __restrict__ __restrict
#define __align__(n) alignas(n)

#define threadIdx (::headroom::cuda::simt::current->index)
#define blockIdx (::headroom::cuda::simt::current->block->index())
#define blockDim (::headroom::cuda::simt::current->block->shape().block)
#define gridDim (::headroom::cuda::simt::current->block->shape().grid)
constexpr int warpSize = 32;

namespace headroom::cuda::simt {

std::byte* shared_variable(const void* key, const char* name, std::size_t bytes); // found by its key
std::byte* dynamic_shared();

} // namespace headroom::cuda::simt

#define SHARED_ARRAY(type, name, extents)                                                                              \
    using name##_type = type extents;                                                                                  \
    static const char name##_key = 0;                                                                                  \
    name##_type& name = *reinterpret_cast<name##_type*>(                                                               \
        ::headroom::cuda::simt::shared_variable(&name##_key, #name, sizeof(name##_type)))
#define DYNAMIC_SHARED(type, name) type* const name = reinterpret_cast<type*>(::headroom::cuda::simt::dynamic_shared())
