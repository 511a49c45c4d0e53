// Decode 10: Hopper's copy engine (TMA) fills the ring, driven by one thread; four warps only compute.
//   changed    in 07 all 128 threads computed addresses and started 16-byte copies; here one lane of a fifth warp asks for
//              boxes of 64 rows x 128 bytes, which arrive swizzled, and runs ahead over the ends of segments. Arrival is
//              counted in bytes at an mbarrier (full), release by one arrival of each computing warp at another (empty)
//   grid       (blocks), at most 264: two for each of an H200's 132 multiprocessors
//   block      160: 4 warps compute, 1 lane of the fifth copies
//   reads      K and V once; no bank conflicts: boxes are swizzled
//   limits     sm_90; L * group_size <= 16, D = Dv 64 or 128, f16 or bf16, one block of rows per sequence
#include "cuda/primitives/balanced_work.h"
#include "cuda/primitives/mbarrier.h"
#include "cuda/primitives/named_barrier.h"
#include "cuda/primitives/tile_products.h"
#include "cuda/primitives/tma.h"
#include "cuda/step.h"
#include <algorithm>

namespace headroom::cuda {
namespace {

constexpr int warps = 4, tile = 16 * warps, stages = 2;

struct Params {
    DeviceProblem problem;
    BalancedWork work;
    TensorMap k, v; // of [B, S, Hkv, D], in boxes of `tile` rows and 128 bytes
};
template <int D> constexpr int halves = D / 64; // a box is 64 numbers wide
constexpr int half_bytes = tile * 128;
template <int D> constexpr int tile_bytes = halves<D>* half_bytes;
template <int D> constexpr int ring_bytes = stages * 2 * tile_bytes<D>;
constexpr int barrier_bytes = 2 * stages * 8;

// As the boxes land: [half][row][128 bytes], chunks swizzled within a row.
struct TmaLayout {
    PRIMITIVE static int at(int row, int chunk)
    {
        return (chunk >> 3) * half_bytes + row * 128 + (((chunk & 7) ^ (row & 7)) << 4);
    }
};

// The lane that copies: one segment's tiles after the other, as soon as a stage is free.
template <int D>
__device__ void copy_all(const Params& params, Index unit, Index end, std::byte* ring, std::uint64_t* full,
                         std::uint64_t* empty)
{
    const DeviceProblem& p = params.problem;
    for (int n = 0; unit < end;) {
        const Segment s = segment_at(params.work.tile_start, p.B, p.Hkv, unit, end);
        unit += s.to - s.from;
        for (int i = s.from; i < s.to; ++i, ++n) {
            const int stage = n % stages;
            std::byte* K = ring + stage * 2 * tile_bytes<D>;
            mbar_wait(empty + stage, n / stages % 2 ^ 1); // free: at once in the first round
            mbar_expect_tx(full + stage, 2 * tile_bytes<D>);
            for (int x = 0; x < halves<D>; ++x) {
                tma_load_4d(K + x * half_bytes, &params.k, 64 * x, s.hkv, i * tile, s.b, full + stage);
                tma_load_4d(K + tile_bytes<D> + x * half_bytes, &params.v, 64 * x, s.hkv, i * tile, s.b, full + stage);
            }
        }
    }
}

template <class F, int D, int NT> __device__ void tma_ring(const Params& params)
{
    const DeviceProblem& p = params.problem;
    const BalancedWork& work = params.work;
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    DYNAMIC_SHARED(std::byte, ring);
    std::byte* merging = ring + ring_bytes<D>;
    std::uint64_t* full = reinterpret_cast<std::uint64_t*>(merging + balanced_bytes<D, warps, NT>);
    std::uint64_t* empty = full + stages;
    if (threadIdx.x == 0) {
        for (int i = 0; i < stages; ++i) mbar_init(full + i, 1), mbar_init(empty + i, warps);
        mbar_init_fence();
    }
    __syncthreads();

    const Index begin = first_unit(blockIdx.x, gridDim.x, work.units),
                end = first_unit(blockIdx.x + 1, gridDim.x, work.units);
    if (warp == warps) { // never meets a barrier of the block again: its lane may be waiting for a free stage
        if (lane == 0) copy_all<D>(params, begin, end, ring, full, empty);
        return;
    }
    const auto sync = [] { named_sync(1, 32 * warps); };
    int round = 0; // tiles so far
    for (Index unit = begin; unit < end;) {
        const Segment s = segment_at(work.tile_start, p.B, p.Hkv, unit, end);
        unit += s.to - s.from;
        SwappedAttention<F, F, D, NT> a;
        a.start(
            p, s.b, s.hkv, [&](int k) { return first_feature<F>(k, lane % 4); }, feature_gap<F>);
        for (int i = s.from; i < s.to; ++i, ++round) {
            const int stage = round % stages, token = i * tile + warp * 16;
            const std::byte* K = ring + stage * 2 * tile_bytes<D> + warp * 16 * 128; // this warp's 16 rows
            mbar_wait(full + stage, round / stages % 2);
            float scores[NT][4] = {};
            std::uint32_t weights[NT][2];
            add_scores<TmaLayout>(a, K, scores);
            a.softmax(p, token, scores, weights);
            add_values<TmaLayout, true>(a, K + tile_bytes<D>, weights, static_cast<int>(p.kv.length[s.b]) - token);
            __syncwarp();
            if (lane == 0) mbar_arrive(empty + stage);
        }
        finish_segment<D, warps, NT>(
            p, work, s, a, merging, [&](int k, int high) { return output_feature<F>(k, high, lane / 4); }, sync);
        sync(); // the place where warps merge is free again
    }
}

} // namespace

#define RING_KERNELS(type, F)                                                                                          \
    KERNEL(decode_10_tma_ring_##type##_d64_n1, Params, BOUNDS(160, 2), tma_ring<F, 64, 1>)                             \
    KERNEL(decode_10_tma_ring_##type##_d64_n2, Params, BOUNDS(160, 2), tma_ring<F, 64, 2>)                             \
    KERNEL(decode_10_tma_ring_##type##_d128_n1, Params, BOUNDS(160, 2), tma_ring<F, 128, 1>)                           \
    KERNEL(decode_10_tma_ring_##type##_d128_n2, Params, BOUNDS(160, 2), tma_ring<F, 128, 2>)
RING_KERNELS(f16, F16)
RING_KERNELS(bf16, BF16)

namespace {

class TmaRing : public BalancedRun {
public:
    TmaRing(Executor& on, const AttentionProblem& problem) : BalancedRun(on, problem, tile)
    {
        refuse_if(query_rows() > 16, "more than 16 query rows share a KV head");
    }
    void launch() override
    {
        const bool f16 = device.kv.k.type == DType::f16, n1 = query_rows() <= 8;
#define OF(size)                                                                                                       \
    (f16 ? (n1 ? decode_10_tma_ring_f16_##size##_n1_kernel : decode_10_tma_ring_f16_##size##_n2_kernel)                \
         : (n1 ? decode_10_tma_ring_bf16_##size##_n1_kernel : decode_10_tma_ring_bf16_##size##_n2_kernel))
        const std::size_t shared = shape.D == 64 ? ring_bytes<64> + balanced_bytes<64, warps, 2> + barrier_bytes
                                                 : ring_bytes<128> + balanced_bytes<128, warps, 2> + barrier_bytes;
        launch_balanced(shape.D == 64 ? OF(d64) : OF(d128), 32 * (warps + 1), shared,
                        Params{device, work(), map(device.kv.k), map(device.kv.v)});
    }

private:
    TensorMap map(const StoredView& part) const
    {
        const auto [sequences, heads, slots, D] = part.extent;
        const auto [sequence_bytes, head_bytes, slot_bytes, number_bytes] = part.byte_stride;
        return executor.tensor_map({.data = part.data,
                                    .element_bytes = 2,
                                    .extent = {D, heads, slots, sequences},
                                    .byte_stride = {head_bytes, slot_bytes, sequence_bytes},
                                    .box = {64, 1, tile, 1}});
    }
};

} // namespace

extern const KernelStep decode_10_tma_ring{
    .idea = "the copy engine fills the ring, four warps compute",
    .claims = tensor_claims(),
    .prepare = prepare_step<TmaRing>,
};

} // namespace headroom::cuda
