// Decode 06: each warp keeps a ring of tiles in flight with cp.async; no barrier of the block in the loop.
//   changed    05 held what was under way in registers, 8 KB a warp; here three stages of shared memory hold 24 KB, the
//              registers are free for 16 query rows, and ldmatrix turns the tiles into operands
//   grid       (splits, Hkv, B), then (B*H*L)      block  128: 4 warps, 16 tokens each at a time; then 128
//   reads      K and V once; no bank conflicts: rows are swizzled
//   limits     L * group_size <= 16, D = Dv 64 or 128, f16 or bf16
#include "cuda/primitives/combine.h"
#include "cuda/primitives/cp_async.h"
#include "cuda/primitives/merge_warps.h"
#include "cuda/primitives/tile_products.h"
#include "cuda/step.h"

namespace headroom::cuda {
namespace {

constexpr int warps = 4, tile = 16 * warps, stages = 3;

struct Params {
    DeviceProblem problem;
    Parts parts;
};
template <int D> constexpr int slice_bytes = 16 * D * 2; // 16 tokens of K or V
template <int D> constexpr int ring_bytes = warps* stages * 2 * slice_bytes<D>;

// One slice of 16 tokens of K or V to shared memory: D/8 lanes copy a row. Zeros behind the end.
template <int D>
__device__ void copy_slice(const DeviceProblem& p, const StoredView& part, int b, int hkv, int token, std::byte* to)
{
    using Layout = Swizzled<2 * D>;
    constexpr int rows_at_once = 32 / Layout::chunks;
    const int lane = static_cast<int>(threadIdx.x) % 32, chunk = lane % Layout::chunks;
#pragma unroll
    for (int i = 0; i < 16 / rows_at_once; ++i) {
        const int r = i * rows_at_once + lane / Layout::chunks, j = token + r;
        const bool there = j < p.kv.length[b];
        cp_async_16(to + Layout::at(r, chunk), kv_row<std::byte>(p.kv, part, b, hkv, there ? j : 0) + 16 * chunk,
                    there);
    }
}

template <class F, int D, int NT> __device__ void async_ring(const Params& params)
{
    using Layout = Swizzled<2 * D>;
    const DeviceProblem& p = params.problem;
    const int split = static_cast<int>(blockIdx.x), hkv = static_cast<int>(blockIdx.y),
              b = static_cast<int>(blockIdx.z);
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32, t = lane % 4;
    const int length = static_cast<int>(p.kv.length[b]), tiles = (length + tile - 1) / tile;
    const int per_split = (tiles + params.parts.splits - 1) / params.parts.splits;
    const int from = split * per_split, to = min(tiles, from + per_split);
    DYNAMIC_SHARED(std::byte, shared);
    std::byte* ring = shared + warp * stages * 2 * slice_bytes<D>; // this warp's own: [stages][K, V]
    const auto first_token = [&](int n) { return n * tile + warp * 16; };
    const auto stage = [&](int n) { return ring + (n - from) % stages * 2 * slice_bytes<D>; };
    const auto start_copy = [&](int n) {
        if (n < to) {
            copy_slice<D>(p, p.kv.k, b, hkv, first_token(n), stage(n));
            copy_slice<D>(p, p.kv.v, b, hkv, first_token(n), stage(n) + slice_bytes<D>);
        }
        cp_async_commit(); // a group for every n, so that counting groups counts slices
    };

    SwappedAttention<F, F, D, NT> a;
    a.start(
        p, b, hkv, [&](int k) { return 16 * k + 2 * t; }, 8);
    for (int n = 0; n < stages - 1; ++n) start_copy(from + n);
    for (int n = from; n < to; ++n) {
        cp_async_wait<stages - 2>(); // slice n of this lane has landed
        __syncwarp();                // and that of all lanes; everybody is done with slice n - 1
        start_copy(n + stages - 1);
        float scores[NT][4] = {};
        std::uint32_t weights[NT][2];
        add_scores<Layout>(a, stage(n), scores);
        a.softmax(p, first_token(n), scores, weights);
        add_values<Layout, false>(a, stage(n) + slice_bytes<D>, weights);
    }
    cp_async_wait<0>();
    __syncthreads(); // the ring becomes the place where warps merge

    const int g = lane / 4;
    merge_warps<D, warps, NT>(
        a, shared, p.L * (p.H / p.Hkv), [&](int k, int high) { return 16 * k + 8 * high + g; }, [] { __syncthreads(); },
        [&](int c, int d, float4 output, SoftmaxState s) {
            write_part(p, params.parts, split, b, hkv, c, d, output, s);
        });
}

__device__ void combine(const Params& params) { combine_parts(params.problem, params.parts); }

} // namespace

#define RING_KERNELS(type, F)                                                                                          \
    KERNEL(decode_06_async_ring_##type##_d64_n1, Params, BOUNDS(128, 2), async_ring<F, 64, 1>)                         \
    KERNEL(decode_06_async_ring_##type##_d64_n2, Params, BOUNDS(128, 2), async_ring<F, 64, 2>)                         \
    KERNEL(decode_06_async_ring_##type##_d128_n1, Params, BOUNDS(128, 2), async_ring<F, 128, 1>)                       \
    KERNEL(decode_06_async_ring_##type##_d128_n2, Params, BOUNDS(128, 2), async_ring<F, 128, 2>)
RING_KERNELS(f16, F16)
RING_KERNELS(bf16, BF16)
KERNEL(decode_06_async_ring_combine, Params, 128, combine)

namespace {

class AsyncRing : public SplitRun {
public:
    AsyncRing(Executor& on, const AttentionProblem& problem) : SplitRun(on, problem, tile)
    {
        refuse_if(query_rows() > 16, "more than 16 query rows share a KV head");
    }
    void launch() override
    {
        const bool f16 = device.kv.k.type == DType::f16, n1 = query_rows() <= 8;
#define OF(size)                                                                                                       \
    (f16 ? (n1 ? decode_06_async_ring_f16_##size##_n1_kernel : decode_06_async_ring_f16_##size##_n2_kernel)            \
         : (n1 ? decode_06_async_ring_bf16_##size##_n1_kernel : decode_06_async_ring_bf16_##size##_n2_kernel))
        const Params params{device, places()};
        if (shape.D == 64)
            launch_split(OF(d64), decode_06_async_ring_combine_kernel, 32 * warps,
                         std::max<std::size_t>(ring_bytes<64>, merge_bytes<64, warps, 2>), params);
        else
            launch_split(OF(d128), decode_06_async_ring_combine_kernel, 32 * warps,
                         std::max<std::size_t>(ring_bytes<128>, merge_bytes<128, warps, 2>), params);
    }
};

} // namespace

extern const KernelStep decode_06_async_ring{
    .idea = "a ring of cp.async copies per warp keeps 96 KB in flight",
    .claims = tensor_claims(),
    .prepare = prepare_step<AsyncRing>,
};

} // namespace headroom::cuda
