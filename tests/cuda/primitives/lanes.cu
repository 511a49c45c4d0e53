#include "tests/cuda/primitives/lanes.h"

#include "cuda/primitives/cp_async.h"
#include "cuda/primitives/dequantise.h"
#include "cuda/primitives/fast_math.h"
#include "cuda/primitives/ldmatrix.h"
#include "cuda/primitives/mma.h"
#include "cuda/primitives/named_barrier.h"
#include "cuda/primitives/pack.h"
#include "cuda/primitives/vector_access.h"

namespace headroom::cuda {
namespace {

struct Words { // the eight words of this thread
    const std::uint32_t* in;
    std::uint32_t* out;
    __device__ float f(int i) const { return __uint_as_float(in[i]); }
};
__device__ Words words(const Lanes& p) { return {p.in + 8 * threadIdx.x, p.out + 8 * threadIdx.x}; }

__device__ void pick_bytes(const Lanes& p)
{
    const Words w = words(p);
    w.out[0] = prmt(w.in[0], w.in[1], 0x5410);
    w.out[1] = prmt(w.in[0], w.in[1], 0x7632);
    w.out[2] = prmt(w.in[0], w.in[1], w.in[2] & 0x7777);
    w.out[3] = prmt(w.in[0], w.in[1], 0xba98);
}
template <class F> __device__ void pack(const Lanes& p)
{
    const Words w = words(p);
    for (int i = 0; i < 4; ++i) w.out[i] = pack2<F>(w.f(2 * i), w.f(2 * i + 1));
}
template <class F> __device__ void unpack(const Lanes& p)
{
    const Words w = words(p);
    for (int i = 0; i < 4; ++i) {
        const float2 f = unpack2<F>(w.in[i]);
        w.out[2 * i] = __float_as_uint(f.x);
        w.out[2 * i + 1] = __float_as_uint(f.y);
    }
}
template <class Q> __device__ void dequantise(const Lanes& p)
{
    const Words w = words(p);
    for (int i = 0; i < 4; ++i) {
        w.out[2 * i] = dq2<Q>(w.in[i], 0);
        w.out[2 * i + 1] = dq2<Q>(w.in[i], 1);
    }
}
__device__ void fast_math(const Lanes& p)
{
    const Words w = words(p);
    w.out[0] = __float_as_uint(exp2_fast(w.f(0)));
    w.out[1] = __float_as_uint(exp2_fast(negative_infinity));
    w.out[2] = __float_as_uint(log2_fast(exp2f(w.f(0))));
}
__device__ void vector_access(const Lanes& p)
{
    const Words w = words(p);
    const uint4 four = ld_vec<uint4>(w.in);
    const uint2 two = ld_vec<uint2>(w.in + 4);
    st_vec(w.out, uint4{four.w, four.z, four.y, four.x});
    st_vec(w.out + 4, uint2{two.y, two.x});
    w.out[6] = ld_vec<std::uint32_t>(w.in + 6);
    w.out[7] = ld_cg(w.in + 7);
}
__device__ void stream(const Lanes& p)
{
    const Words w = words(p);
    st_vec(w.out, ldg_stream(w.in));
    st_vec(w.out + 4, ldg_stream_if(w.in + 4, threadIdx.x % 3 != 0));
}
// Four 8x8 matrices lie one after the other; lane 8m + r points at row r of matrix m.
template <bool transposed> __device__ void load_matrices(const Lanes& p)
{
    SHARED_ARRAY(std::uint32_t, tile, [4 * 8 * 4]);
    const Words w = words(p);
    for (unsigned i = 0; i < 4; ++i) tile[4 * threadIdx.x + i] = w.in[i];
    __syncthreads();
    std::uint32_t r[4];
    if constexpr (transposed)
        ldmatrix_x4_trans(r, tile + 4 * threadIdx.x);
    else
        ldmatrix_x4(r, tile + 4 * threadIdx.x);
    for (int i = 0; i < 4; ++i) w.out[i] = r[i];
}
template <bool transposed> __device__ void load_two_matrices(const Lanes& p)
{
    SHARED_ARRAY(std::uint32_t, tile, [2 * 8 * 4]);
    const Words w = words(p);
    if (threadIdx.x < 16)
        for (unsigned i = 0; i < 4; ++i) tile[4 * threadIdx.x + i] = w.in[i];
    __syncthreads();
    std::uint32_t r[2];
    if constexpr (transposed)
        ldmatrix_x2_trans(r, tile + 4 * (threadIdx.x % 16));
    else
        ldmatrix_x2(r, tile + 4 * (threadIdx.x % 16));
    w.out[0] = r[0];
    w.out[1] = r[1];
}
__device__ void movmatrix(const Lanes& p)
{
    const Words w = words(p);
    w.out[0] = movmatrix_trans(w.in[0]);
}
template <class F> __device__ void mma(const Lanes& p) // a, b in the words; d starts at lane + i
{
    const Words w = words(p);
    const std::uint32_t a[4] = {w.in[0], w.in[1], w.in[2], w.in[3]}, b[2] = {w.in[4], w.in[5]};
    float d[4];
    for (int i = 0; i < 4; ++i) d[i] = float(int(threadIdx.x) + i);
    mma_16816<F>(d, a, b);
    for (int i = 0; i < 4; ++i) w.out[i] = __float_as_uint(d[i]);
}
__device__ void copy_async(const Lanes& p) // two groups; the second is unwanted in every third lane
{
    SHARED_ARRAY(uint4, stage, [2][32]);
    const Words w = words(p);
    const unsigned lane = threadIdx.x;
    cp_async_16(&stage[0][lane], w.in);
    cp_async_commit();
    cp_async_16(&stage[1][lane], w.in + 4, lane % 3 != 0);
    cp_async_commit();
    cp_async_wait<1>();
    __syncwarp();
    st_vec(w.out, ld_vec<uint4>(&stage[0][31 - lane]));
    cp_async_wait<0>();
    __syncwarp();
    st_vec(w.out + 4, ld_vec<uint4>(&stage[1][31 - lane]));
}
__device__ void shuffles(const Lanes& p)
{
    const Words w = words(p);
    w.out[0] = __shfl_sync(~0u, w.in[0], 5);
    w.out[1] = __shfl_sync(~0u, w.in[0], int(threadIdx.x) + 3, 8);
    w.out[2] = __shfl_xor_sync(~0u, w.in[0], 9);
    w.out[3] = __shfl_up_sync(~0u, w.in[0], 3u);
    w.out[4] = __shfl_down_sync(~0u, w.in[0], 3u, 16);
    w.out[5] = threadIdx.x < 8 ? __shfl_xor_sync(0xffu, w.in[0], 1) : 0; // a part of the warp
    w.out[6] = __float_as_uint(__shfl_xor_sync(~0u, w.f(1), 16));
}
__device__ void votes(const Lanes& p)
{
    const Words w = words(p);
    w.out[0] = __ballot_sync(~0u, int(w.in[0] & 1));
    w.out[1] = unsigned(__any_sync(~0u, threadIdx.x == 7));
    w.out[2] = unsigned(__all_sync(~0u, threadIdx.x != 7));
    w.out[3] = unsigned(__popc(w.in[0]));
    w.out[4] = unsigned(__clz(int(w.in[0])));
    w.out[5] = unsigned(__ffs(int(w.in[0])));
    w.out[6] = __brev(w.in[0]);
}
__device__ void atomics(const Lanes& p)
{
    SHARED_ARRAY(unsigned, counters, [4]);
    const Words w = words(p);
    if (threadIdx.x < 4) counters[threadIdx.x] = threadIdx.x == 2 ? ~0u : 0;
    __syncthreads();
    const unsigned mine = atomicAdd(&counters[0], 1u);
    atomicMax(&counters[1], w.in[0]);
    atomicMin(&counters[2], w.in[0]);
    atomicExch(&counters[3], 9u);
    atomicAdd(&p.out[7], 1u); // lane 0's last word counts all lanes
    __syncthreads();
    w.out[0] = mine;
    for (int i = 0; i < 4; ++i) w.out[1 + i] = counters[i];
    w.out[5] = atomicCAS(&counters[3], 9u, 10u + threadIdx.x) == 9u;
}
// Three warps: warp 0 writes and arrives, warps 1 and 2 wait for it, each at its own barrier.
__device__ void named_barriers(const Lanes& p)
{
    SHARED_ARRAY(std::uint32_t, numbers, [2][32]);
    const Words w = words(p);
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp == 0) {
        numbers[0][lane] = w.in[0];
        named_arrive(1, 64);
        numbers[1][lane] = w.in[1];
        named_arrive(2, 64);
    } else {
        named_sync(int(warp), 64);
        w.out[0] = numbers[warp - 1][31 - lane];
    }
}

} // namespace

#define ENTRY(name, threads, ...)                                                                                      \
    KERNEL(primitives_lanes_##name, Lanes, threads, __VA_ARGS__)                                                       \
    const Kernel<Lanes> name##_lanes = primitives_lanes_##name##_kernel;
ENTRY(prmt, 32, pick_bytes)
ENTRY(pack_f16, 32, pack<F16>)
ENTRY(pack_bf16, 32, pack<BF16>)
ENTRY(unpack_f16, 32, unpack<F16>)
ENTRY(unpack_bf16, 32, unpack<BF16>)
ENTRY(dequantise_e4m3, 32, dequantise<E4M3>)
ENTRY(dequantise_i8, 32, dequantise<I8>)
ENTRY(fast_math, 32, fast_math)
ENTRY(vector_access, 32, vector_access)
ENTRY(stream, 32, stream)
ENTRY(ldmatrix, 32, load_matrices<false>)
ENTRY(ldmatrix_trans, 32, load_matrices<true>)
ENTRY(ldmatrix_x2, 32, load_two_matrices<false>)
ENTRY(ldmatrix_x2_trans, 32, load_two_matrices<true>)
ENTRY(movmatrix, 32, movmatrix)
ENTRY(mma_f16, 32, mma<F16>)
ENTRY(mma_bf16, 32, mma<BF16>)
ENTRY(copy_async, 32, copy_async)
ENTRY(shuffles, 32, shuffles)
ENTRY(votes, 32, votes)
ENTRY(atomics, 32, atomics)
ENTRY(named_barriers, 96, named_barriers)

} // namespace headroom::cuda
