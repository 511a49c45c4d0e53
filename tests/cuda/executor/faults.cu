#include "tests/cuda/executor/faults.h"

#include "cuda/primitives/cp_async.h"
#include "cuda/primitives/ldmatrix.h"
#include "cuda/primitives/named_barrier.h"
#include "cuda/primitives/vector_access.h"

#include <stdexcept>

namespace headroom::cuda {
namespace {

// clang-format off: FAULTY counts lines
using P = FaultyParams;
#define FAULTY(name, line_number, threads)                                                                             \
    } /* namespace */                                                                                                  \
    KERNEL(executor_faults_##name, FaultyParams, 128, name##_body)                                                     \
    const Faulty name{executor_faults_##name##_kernel, line_number, threads};                                          \
    namespace {

__device__ void divergent_barrier_body(const P&)
{
    if (threadIdx.x < 32)
        __syncthreads();
    else
        __syncthreads();
}
FAULTY(divergent_barrier, __LINE__ - 4, 64)

__device__ void deadlock_body(const P&)
{
    if (threadIdx.x / 32 == 0)
        named_sync(1, 64);
    else
        named_sync(2, 64);
}
FAULTY(deadlock, __LINE__ - 4, 64)

__device__ void barrier_in_part_of_a_warp_body(const P&)
{
    if (threadIdx.x < 16)
        __syncthreads();
    else
        __syncwarp();
}
FAULTY(barrier_in_part_of_a_warp, __LINE__ - 4, 32)

__device__ void shuffle_with_exited_lane_body(const P& p)
{
    if (threadIdx.x == 0) return;
    p.out[threadIdx.x] = __shfl_xor_sync(~0u, 1.0f, 1);
}
FAULTY(shuffle_with_exited_lane, __LINE__ - 2, 32)

__device__ void shuffle_with_late_exit_body(const P& p)
{
    if (threadIdx.x != 31)
        p.out[threadIdx.x] = __shfl_xor_sync(~0u, 1.0f, 1);
}
FAULTY(shuffle_with_late_exit, __LINE__ - 2, 32)

__device__ void shuffle_without_caller_body(const P& p)
{
    p.out[threadIdx.x] = __shfl_xor_sync(0x0000ffffu, 1.0f, 1);
}
FAULTY(shuffle_without_caller, __LINE__ - 2, 32)

__device__ void shuffle_from_unnamed_lane_body(const P& p)
{
    if (threadIdx.x < 16)
        p.out[threadIdx.x] = __shfl_sync(0x0000ffffu, 1.0f, 20);
}
FAULTY(shuffle_from_unnamed_lane, __LINE__ - 2, 32)

__device__ void mixed_shuffles_body(const P& p)
{
    if (threadIdx.x % 2)
        p.out[threadIdx.x] = __shfl_xor_sync(~0u, 1.0f, 1);
    else
        p.out[threadIdx.x] = __shfl_down_sync(~0u, 1.0f, 1);
}
FAULTY(mixed_shuffles, __LINE__ - 2, 32)

__device__ void short_warp_body(const P& p)
{
    p.out[threadIdx.x] = __shfl_xor_sync(~0u, 1.0f, 1);
}
FAULTY(short_warp, __LINE__ - 2, 8)

__device__ void copy_without_wait_body(const P& p)
{
    SHARED_ARRAY(float4, tile, [32]);
    cp_async_16(&tile[threadIdx.x], p.in + 4 * threadIdx.x);
    cp_async_commit();
}
FAULTY(copy_without_wait, 0, 32)

__device__ void copy_without_barrier_body(const P& p)
{
    SHARED_ARRAY(float4, tile, [32]);
    cp_async_16(&tile[threadIdx.x], p.in + 4 * threadIdx.x);
    cp_async_commit();
    cp_async_wait<0>();
    const float4 x = ld_vec<float4>(&tile[threadIdx.x ^ 1]); // __syncwarp is missing
    p.out[threadIdx.x] = x.x;
}
FAULTY(copy_without_barrier, __LINE__ - 3, 32)

__device__ void copy_read_too_early_body(const P& p)
{
    SHARED_ARRAY(float4, tile, [32]);
    cp_async_16(&tile[threadIdx.x], p.in + 4 * threadIdx.x);
    cp_async_commit();
    __syncwarp();
    const float4 x = ld_vec<float4>(&tile[threadIdx.x ^ 1]);
    cp_async_wait<0>();
    p.out[threadIdx.x] = x.x;
}
FAULTY(copy_read_too_early, __LINE__ - 4, 32)

__device__ void read_out_of_bounds_body(const P& p)
{
    const float4 x = ld_vec<float4>(p.in + 4 * threadIdx.x); // the last lane: 128
    p.out[threadIdx.x] = x.x;
}
FAULTY(read_out_of_bounds, __LINE__ - 3, 33)

__device__ void write_out_of_bounds_body(const P& p)
{
    st_vec(p.out + 2 * threadIdx.x, float2{1, 2});
}
FAULTY(write_out_of_bounds, __LINE__ - 2, 65)

__device__ void plain_write_out_of_bounds_body(const P& p)
{
    if (threadIdx.x == 3) p.out[128] = 1;
}
FAULTY(plain_write_out_of_bounds, 0, 32)

__device__ void shared_out_of_bounds_body(const P& p)
{
    SHARED_ARRAY(float, tile, [32]);
    tile[threadIdx.x] = 0;
    __syncthreads();
    const float2 x = ld_vec<float2>(tile + 2 * threadIdx.x);
    p.out[threadIdx.x] = x.x;
}
FAULTY(shared_out_of_bounds, __LINE__ - 3, 32)

__device__ void misaligned_body(const P& p)
{
    const float4 x = ld_vec<float4>(p.in + threadIdx.x);
    p.out[threadIdx.x] = x.x + x.y + x.z + x.w;
}
FAULTY(misaligned, __LINE__ - 3, 32)

__device__ void throws_body(const P&)
{
#ifndef __CUDACC__
    if (threadIdx.x == 9) throw std::runtime_error("a message");
#endif
}
FAULTY(throws, 0, 32)

__device__ void wrong_barrier_count_body(const P&)
{
    if (threadIdx.x / 32 == 0)
        named_sync(3, 64);
    else
        named_sync(3, 96);
}
FAULTY(wrong_barrier_count, __LINE__ - 2, 64)

__device__ void innocent_body(const P& p) // early exits, half masks, one-sided branches
{
    const unsigned t = threadIdx.x;
    if (t < 16)
        p.out[t] = __shfl_xor_sync(0x0000ffffu, float(t), 1);
    else if (t < 32)
        p.out[t] = __shfl_xor_sync(0xffff0000u, float(t), 2);
    if (t >= 40) return;
    __syncthreads();
    if (t % 2) p.out[t] += 100;
    __syncthreads();
}
FAULTY(innocent, 0, 64)

} // namespace
} // namespace headroom::cuda
