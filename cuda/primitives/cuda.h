// What a kernel file includes: CUDA itself under nvcc, the host executor's spelling of it under g++ and clang.
//
//     KERNEL(decode_02_online_softmax_f32, Params, 32, online<float>)
//
// makes an entry point: a name that every executor can find, one struct by value, the templated body that it runs, and
// decode_02_online_softmax_f32_kernel to launch it with. BOUNDS(128, 3) in place of the thread count adds the number of
// blocks that a multiprocessor shall hold.
#pragma once
#include "cuda/executor/executor.h"
#include <cstddef>
#include <cstdint>

#define BOUNDS(threads, blocks) threads, blocks

namespace headroom::cuda {
constexpr int first_of(int threads, int = 0) { return threads; }
} // namespace headroom::cuda

#ifdef __CUDACC__
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define PRIMITIVE __device__ __forceinline__
#define KERNEL(name, Params, threads, ...)                                                                             \
    extern "C" __global__ void __launch_bounds__(threads) name(const __grid_constant__ Params params)                  \
    {                                                                                                                  \
        __VA_ARGS__(params);                                                                                           \
    }                                                                                                                  \
    [[maybe_unused]] static constexpr ::headroom::cuda::Kernel<Params> name##_kernel{                                  \
        {#name, nullptr, ::headroom::cuda::first_of(threads)}};
// Shared memory: SHARED_ARRAY(float, tile, [32][33]); DYNAMIC_SHARED(float, scores) is the launch's dynamic memory.
#define SHARED_ARRAY(type, name, extents) __shared__ __align__(16) type name extents
#define DYNAMIC_SHARED(type, name)                                                                                     \
    extern __shared__ __align__(1024) unsigned char headroom_dynamic_shared[];                                         \
    type* const name = reinterpret_cast<type*>(headroom_dynamic_shared)
namespace headroom::cuda {
PRIMITIVE std::uint32_t shared_address(const void* p)
{
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}
} // namespace headroom::cuda
#else
#include "cuda/primitives/host/cuda.h"
#define PRIMITIVE inline
#define KERNEL(name, Params, threads, ...)                                                                             \
    extern "C" void name(const void* params);                                                                          \
    extern "C" void name(const void* params) { __VA_ARGS__(*static_cast<const Params*>(params)); }                     \
    [[maybe_unused]] static constexpr ::headroom::cuda::Kernel<Params> name##_kernel{                                  \
        {#name, &name, ::headroom::cuda::first_of(threads)}};
#endif
