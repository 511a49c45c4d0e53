#include "tests/cuda/primitives/hopper.h"

#include "cuda/primitives/named_barrier.h"
#include "cuda/primitives/tma.h"
#include "cuda/primitives/vector_access.h"
#include "cuda/primitives/wgmma.h"

namespace headroom::cuda {
namespace {

__device__ void ring(const RingParams& p)
{
    constexpr int stages = 2, consumers = 3;
    DYNAMIC_SHARED(float, ring); // [stages, 128]
    SHARED_ARRAY(std::uint64_t, full, [stages]);
    SHARED_ARRAY(std::uint64_t, empty, [stages]);
    const int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; ++s) {
            mbar_init(&full[s], 1);
            mbar_init(&empty[s], consumers);
        }
        mbar_init_fence();
    }
    __syncthreads();
    if (warp == consumers) { // the producer
        for (int t = 0; t < p.tiles && lane == 0; ++t) {
            const int s = t % stages;
            mbar_wait(&empty[s], (t / stages & 1) ^ 1);
            mbar_expect_tx(&full[s], 512);
            bulk_load(ring + 128 * s, p.from + 128 * t, 512, &full[s]);
        }
        return;
    }
    float4 sum = {0, 0, 0, 0};
    for (int t = 0; t < p.tiles; ++t) {
        const int s = t % stages;
        mbar_wait(&full[s], t / stages & 1);
        const float4 x = ld_vec<float4>(ring + 128 * s + 4 * lane);
        sum = {sum.x + x.x, sum.y + x.y, sum.z + x.z, sum.w + x.w};
        __syncwarp();
        if (lane == 0) mbar_arrive(&empty[s]);
    }
    st_vec(p.sums + 128 * warp + 4 * lane, sum);
}
KERNEL(primitives_hopper_ring, RingParams, 128, ring)

__device__ void box(const BoxParams& p)
{
    DYNAMIC_SHARED(float, tile);
    SHARED_ARRAY(std::uint64_t, full, [1]);
    if (threadIdx.x == 0) {
        mbar_init(full, 1);
        mbar_init_fence();
        mbar_expect_tx(full, p.rows * 128);
        tma_load_4d(tile, &p.map, p.corner[0], p.corner[1], p.corner[2], p.corner[3], full);
    }
    __syncthreads();
    mbar_wait(full, 0);
    for (int i = int(threadIdx.x); i < p.rows * 32; i += 32) p.out[i] = tile[i];
}
KERNEL(primitives_hopper_box, BoxParams, 32, box)

constexpr int N = 64;
template <class F, bool registers> __device__ void product(const ProductParams& p)
{
    DYNAMIC_SHARED(unsigned char, shared); // A: 64 rows of 128 bytes, B: 64 rows of 128 bytes
    SHARED_ARRAY(std::uint64_t, full, [1]);
    unsigned char *a = shared, *b = shared + 64 * 128;
    if (threadIdx.x == 0) {
        mbar_init(full, 1);
        mbar_init_fence();
        mbar_expect_tx(full, 2 * 64 * 128);
        tma_load_4d(a, &p.a, 0, 0, 0, 0, full);
        tma_load_4d(b, &p.b, 0, 0, 0, 0, full);
    }
    __syncthreads();
    mbar_wait(full, 0);
    float d[N / 2];
    for (int i = 0; i < N / 2; ++i) d[i] = float(int(threadIdx.x) + i);
    wgmma_fence();
    if constexpr (registers) {
        std::uint32_t r[4];
        for (int i = 0; i < 4; ++i) r[i] = p.a_registers[4 * threadIdx.x + unsigned(i)];
        wgmma_rs_tb<F, N>(d, r, desc_mn_sw128(b, 64 * 128), p.accumulate);
        wgmma_commit();
        wgmma_wait<0>();
    } else {
        wgmma_ss<F, N>(d, desc_k_sw128(a + 32), desc_k_sw128(b + 32), p.accumulate); // the second 16 of k
        wgmma_commit();
        wgmma_wait<0>();
    }
    for (int i = 0; i < N / 2; ++i) p.d[threadIdx.x * (N / 2) + unsigned(i)] = d[i];
}
KERNEL(primitives_hopper_ss_f16, ProductParams, 128, product<F16, false>)
KERNEL(primitives_hopper_ss_bf16, ProductParams, 128, product<BF16, false>)
KERNEL(primitives_hopper_rs_f16, ProductParams, 128, product<F16, true>)
KERNEL(primitives_hopper_rs_bf16, ProductParams, 128, product<BF16, true>)

} // namespace

const Kernel<RingParams> ring_kernel = primitives_hopper_ring_kernel;
const Kernel<BoxParams> box_kernel = primitives_hopper_box_kernel;
const Kernel<ProductParams> product_ss_f16 = primitives_hopper_ss_f16_kernel,
                            product_ss_bf16 = primitives_hopper_ss_bf16_kernel,
                            product_rs_f16 = primitives_hopper_rs_f16_kernel,
                            product_rs_bf16 = primitives_hopper_rs_bf16_kernel;

} // namespace headroom::cuda
