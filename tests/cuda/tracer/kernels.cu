#include "tests/cuda/tracer/kernels.h"

#include "cuda/primitives/cp_async.h"
#include "cuda/primitives/vector_access.h"

namespace headroom::cuda {
namespace {

using P = Traced;
// clang-format off: lines are counted
#define ENTRY(name, line)                                                                                              \
    } /* namespace */                                                                                                  \
    KERNEL(tracer_kernels_##name, Traced, 256, name##_body)                                                            \
    const Kernel<Traced> name = tracer_kernels_##name##_kernel;                                                        \
    const int name##_line = line;                                                                                      \
    namespace {

__device__ void copy_strided_body(const P& p)
{
    p.to[threadIdx.x] = p.from[threadIdx.x * unsigned(p.stride)];
}
ENTRY(copy_strided, __LINE__ - 2)

__device__ void copy_vectors_body(const P& p)
{
    st_vec(p.to + 4 * threadIdx.x, ld_vec<float4>(p.from + 4 * threadIdx.x));
}
ENTRY(copy_vectors, __LINE__ - 2)

template <int width> __device__ void transposed(const P& p)
{
    SHARED_ARRAY(float, tile, [32][width]);
    const unsigned x = threadIdx.x % 32;
    for (unsigned y = threadIdx.x / 32; y < 32; y += blockDim.x / 32) tile[y][x] = p.from[y * 32 + x];
    __syncthreads();
    for (unsigned y = threadIdx.x / 32; y < 32; y += blockDim.x / 32) p.to[y * 32 + x] = tile[x][y];
}
__device__ void transpose_body(const P& p) { transposed<32>(p); }
ENTRY(transpose, __LINE__ - 3)
__device__ void transpose_padded_body(const P& p) { transposed<33>(p); }
ENTRY(transpose_padded, __LINE__ - 5)

__device__ void read_after_write_body(const P& p)
{
    SHARED_ARRAY(float, tile, [64]);
    tile[threadIdx.x] = 0;
    __syncthreads();
    tile[threadIdx.x] = 1;
    p.to[threadIdx.x] = tile[(threadIdx.x + 1) % 64]; // __syncthreads is missing
}
ENTRY(read_after_write, __LINE__ - 2)

__device__ void write_after_read_body(const P& p)
{
    SHARED_ARRAY(float, tile, [64]);
    tile[threadIdx.x] = 1;
    __syncthreads();
    const float x = tile[(threadIdx.x + 1) % 64];
    tile[threadIdx.x] = x; // __syncthreads is missing
    p.to[threadIdx.x] = x;
}
ENTRY(write_after_read, __LINE__ - 3)

template <bool sync> __device__ void neighbours(const P& p)
{
    SHARED_ARRAY(float, tile, [32]);
    tile[threadIdx.x] = 1;
    if (sync)
        __syncwarp();
    else
        __shfl_xor_sync(~0u, 1.0f, 1);
    p.to[threadIdx.x] = tile[threadIdx.x ^ 1];
}
__device__ void shuffle_is_no_fence_body(const P& p) { neighbours<false>(p); }
ENTRY(shuffle_is_no_fence, __LINE__ - 3)
__device__ void syncwarp_is_body(const P& p) { neighbours<true>(p); }
ENTRY(syncwarp_is, 0)

__device__ void uninitialised_shared_body(const P& p)
{
    SHARED_ARRAY(float, tile, [64]);
    if (threadIdx.x == 0) tile[0] = 1;
    __syncthreads();
    p.to[threadIdx.x] = tile[threadIdx.x];
}
ENTRY(uninitialised_shared, __LINE__ - 2)

__device__ void uninitialised_global_body(const P& p)
{
    p.to[threadIdx.x] = 1;
    if (threadIdx.x == 7) p.to[8] = p.to[1000]; // nobody wrote there
}
ENTRY(uninitialised_global, __LINE__ - 2)

__device__ void out_of_bounds_body(const P& p)
{
    if (threadIdx.x == 5) p.to[1024] = p.from[0];
}
ENTRY(out_of_bounds, __LINE__ - 2)

__device__ void counted_body(const P& p) // atomics do not race
{
    SHARED_ARRAY(unsigned, counter, [1]);
    if (threadIdx.x == 0) counter[0] = 0;
    __syncthreads();
    atomicAdd(&counter[0], 1u);
    __syncthreads();
    p.to[threadIdx.x] = float(counter[0]);
}
ENTRY(counted, 0)

__device__ void copied_early_body(const P& p) // the stage is refilled while its neighbour may still read it
{
    SHARED_ARRAY(float4, stage, [32]);
    cp_async_16(&stage[threadIdx.x], p.from + 4 * threadIdx.x);
    cp_async_commit();
    cp_async_wait<0>();
    __syncwarp();
    p.to[threadIdx.x] = stage[threadIdx.x ^ 1].x;
    cp_async_16(&stage[threadIdx.x], p.from + 4 * threadIdx.x);
    cp_async_commit();
    cp_async_wait<0>();
}
ENTRY(copied_early, __LINE__ - 5) // where it reads; the schedule decides which side is late

} // namespace
} // namespace headroom::cuda
