// Decode 07: all blocks get the same amount of work, wherever sequences begin and end.
//   changed    06 cut every sequence into the same number of parts, so that unequal lengths and few sequences leave blocks
//              idle; here a fixed number of blocks shares all tiles evenly, and the last block to arrive at a row merges
//              its parts: no second kernel, and workspace for two parts per block whatever the batch
//   grid       (blocks), at most 264: two for each of an H200's 132 multiprocessors
//   block      128: 4 warps, 16 tokens each at a time
//   reads      K and V once; no bank conflicts: rows are swizzled
//   limits     as 06. The order of summation depends on the batch: equal sequences in other batches differ in last bits
#include "cuda/primitives/balanced_work.h"
#include "cuda/primitives/cp_async.h"
#include "cuda/primitives/tile_products.h"
#include "cuda/step.h"
#include <algorithm>

namespace headroom::cuda {
namespace {

constexpr int warps = 4, tile = 16 * warps, stages = 3;

struct Params {
    DeviceProblem problem;
    BalancedWork work;
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

template <class F, int D, int NT> __device__ void balanced(const Params& params)
{
    using Layout = Swizzled<2 * D>;
    const DeviceProblem& p = params.problem;
    const BalancedWork& work = params.work;
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    DYNAMIC_SHARED(std::byte, shared);
    std::byte* ring = shared + warp * stages * 2 * slice_bytes<D>; // this warp's own: [stages][K, V]
    const auto first_token = [&](int n) { return n * tile + warp * 16; };

    const Index end = first_unit(blockIdx.x + 1, gridDim.x, work.units);
    for (Index unit = first_unit(blockIdx.x, gridDim.x, work.units); unit < end;) {
        const Segment s = segment_at(work.tile_start, p.B, p.Hkv, unit, end);
        unit += s.to - s.from;
        const auto stage = [&](int n) { return ring + (n - s.from) % stages * 2 * slice_bytes<D>; };
        const auto start_copy = [&](int n) {
            if (n < s.to) {
                copy_slice<D>(p, p.kv.k, s.b, s.hkv, first_token(n), stage(n));
                copy_slice<D>(p, p.kv.v, s.b, s.hkv, first_token(n), stage(n) + slice_bytes<D>);
            }
            cp_async_commit(); // a group for every n, so that counting groups counts slices
        };

        SwappedAttention<F, F, D, NT> a;
        a.start(
            p, s.b, s.hkv, [&](int k) { return first_feature<F>(k, lane % 4); }, feature_gap<F>);
        for (int n = 0; n < stages - 1; ++n) start_copy(s.from + n);
        for (int n = s.from; n < s.to; ++n) {
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
        finish_segment<D, warps, NT>(
            p, work, s, a, shared, [&](int k, int high) { return output_feature<F>(k, high, lane / 4); },
            [] { __syncthreads(); });
        __syncthreads(); // and a ring again
    }
}

} // namespace

#define RING_KERNELS(type, F)                                                                                          \
    KERNEL(decode_07_balanced_##type##_d64_n1, Params, BOUNDS(128, 2), balanced<F, 64, 1>)                             \
    KERNEL(decode_07_balanced_##type##_d64_n2, Params, BOUNDS(128, 2), balanced<F, 64, 2>)                             \
    KERNEL(decode_07_balanced_##type##_d128_n1, Params, BOUNDS(128, 2), balanced<F, 128, 1>)                           \
    KERNEL(decode_07_balanced_##type##_d128_n2, Params, BOUNDS(128, 2), balanced<F, 128, 2>)
RING_KERNELS(f16, F16)
RING_KERNELS(bf16, BF16)

namespace {

class Balanced : public BalancedRun {
public:
    Balanced(Executor& on, const AttentionProblem& problem) : BalancedRun(on, problem, tile)
    {
        refuse_if(query_rows() > 16, "more than 16 query rows share a KV head");
    }
    void launch() override
    {
        const bool f16 = device.kv.k.type == DType::f16, n1 = query_rows() <= 8;
#define OF(size)                                                                                                       \
    (f16 ? (n1 ? decode_07_balanced_f16_##size##_n1_kernel : decode_07_balanced_f16_##size##_n2_kernel)                \
         : (n1 ? decode_07_balanced_bf16_##size##_n1_kernel : decode_07_balanced_bf16_##size##_n2_kernel))
        const std::size_t shared = shape.D == 64 ? std::max(ring_bytes<64>, balanced_bytes<64, warps, 2>)
                                                 : std::max(ring_bytes<128>, balanced_bytes<128, warps, 2>);
        launch_balanced(shape.D == 64 ? OF(d64) : OF(d128), 32 * warps, shared, Params{device, work()});
    }
};

} // namespace

extern const KernelStep decode_07_balanced{
    .idea = "blocks share all tiles evenly; the last to arrive merges",
    .claims = tensor_claims(),
    .prepare = prepare_step<Balanced>,
};

} // namespace headroom::cuda
