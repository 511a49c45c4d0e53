// Decode 09: keys and values of 8 bits, int8 or e4m3, with a scale per token and head where the cache has them.
//   changed    07 read 16 bits a number; here half of that travels, one ldmatrix serves two products, and codes become f16
//              in registers. A key's scale multiplies its scores, a value's scale its weights: never the numbers
//   grid       (blocks), at most 264: two for each of an H200's 132 multiprocessors
//   block      128: 4 warps, 16 tokens each at a time
//   reads      K and V once: half the bytes of 07, and 8 bytes of scales per token and KV head
//   limits     L * group_size <= 16, D = Dv 64 or 128, queries f16 or bf16. Merging has bank conflicts, as in 05
#include "cuda/primitives/balanced_work.h"
#include "cuda/primitives/cp_async.h"
#include "cuda/primitives/tile_products.h"
#include "cuda/step.h"
#include <algorithm>

namespace headroom::cuda {
namespace {

constexpr int warps = 4, tile = 16 * warps, stages = 6; // of half the size

struct Params {
    DeviceProblem problem;
    BalancedWork work;
};
template <int D> constexpr int slice_bytes = 16 * D; // 16 tokens of K or V
template <int D> constexpr int ring_bytes = warps* stages * 2 * slice_bytes<D>;

// One slice of 16 tokens of K or V to shared memory: D/16 lanes copy a row. Zeros behind the end.
template <int D>
__device__ void copy_slice(const DeviceProblem& p, const StoredView& part, int b, int hkv, int token, std::byte* to)
{
    using Layout = Swizzled<D>;
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

__device__ float scale_of(const DeviceProblem& p, const StoredView& part, int b, int hkv, int j)
{
    if (!part.scale || j >= p.kv.length[b]) return 1;
    const Index slots = part.extent[2],
                block = p.kv.block_table ? p.kv.block_table[b * p.kv.blocks_per_sequence + j / slots] : b;
    return part.scale[block * part.scale_stride[0] + hkv * part.scale_stride[1] +
                      (p.kv.block_table ? j % slots : j) * part.scale_stride[2]];
}
__device__ float2 scales_of(const DeviceProblem& p, const StoredView& part, int b, int hkv, int j) // of tokens j, j + 8
{
    return make_float2(scale_of(p, part, b, hkv, j), scale_of(p, part, b, hkv, j + 8));
}

template <class Query, class Stored, int D, int NT> __device__ void quantised(const Params& params)
{
    using Layout = Swizzled<D>;
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

        SwappedAttention<Query, Stored, D, NT> a;
        a.start(
            p, s.b, s.hkv, [&](int k) { return first_feature<Stored>(k, lane % 4); }, feature_gap<Stored>);
        for (int n = 0; n < stages - 1; ++n) start_copy(s.from + n);
        for (int n = s.from; n < s.to; ++n) {
            cp_async_wait<stages - 2>(); // slice n of this lane has landed
            __syncwarp();                // and that of all lanes; everybody is done with slice n - 1
            start_copy(n + stages - 1);
            float scores[NT][4] = {};
            std::uint32_t weights[NT][2];
            const int mine = first_token(n) + lane / 4;
            const float2 k_scale = scales_of(p, p.kv.k, s.b, s.hkv, mine),
                         v_scale = scales_of(p, p.kv.v, s.b, s.hkv, mine);
            add_scores<Layout>(a, stage(n), scores);
            a.softmax(p, first_token(n), scores, weights, k_scale, v_scale);
            add_values<Layout, false>(a, stage(n) + slice_bytes<D>, weights);
        }
        cp_async_wait<0>();
        __syncthreads(); // the ring becomes the place where warps merge
        finish_segment<D, warps, NT>(
            p, work, s, a, shared, [&](int k, int high) { return output_feature<Stored>(k, high, lane / 4); },
            [] { __syncthreads(); });
        __syncthreads(); // and a ring again
    }
}

} // namespace

#define QUANTISED_KERNELS(query, Query, type, Stored)                                                                  \
    KERNEL(decode_09_quantised_##query##_##type##_d64_n1, Params, BOUNDS(128, 2), quantised<Query, Stored, 64, 1>)     \
    KERNEL(decode_09_quantised_##query##_##type##_d64_n2, Params, BOUNDS(128, 2), quantised<Query, Stored, 64, 2>)     \
    KERNEL(decode_09_quantised_##query##_##type##_d128_n1, Params, BOUNDS(128, 2), quantised<Query, Stored, 128, 1>)   \
    KERNEL(decode_09_quantised_##query##_##type##_d128_n2, Params, BOUNDS(128, 2), quantised<Query, Stored, 128, 2>)
QUANTISED_KERNELS(f16, F16, i8, I8)
QUANTISED_KERNELS(f16, F16, f8e4m3, E4M3)
QUANTISED_KERNELS(bf16, BF16, i8, I8)
QUANTISED_KERNELS(bf16, BF16, f8e4m3, E4M3)

namespace {

class Quantised : public BalancedRun {
public:
    Quantised(Executor& on, const AttentionProblem& problem) : BalancedRun(on, problem, tile)
    {
        refuse_if(query_rows() > 16, "more than 16 query rows share a KV head");
        for (const StoredView& part : {device.kv.k, device.kv.v})
            refuse_if(part.scale_stride[3] != 0, "its scales are not per channel");
    }
    void launch() override
    {
        const bool n1 = query_rows() <= 8, i8 = device.kv.k.type == DType::i8, f16 = q_type == DType::f16;
#define OF_SIZE(query, type, size)                                                                                     \
    (n1 ? decode_09_quantised_##query##_##type##_##size##_n1_kernel                                                    \
        : decode_09_quantised_##query##_##type##_##size##_n2_kernel)
#define OF(size)                                                                                                       \
    (f16 ? (i8 ? OF_SIZE(f16, i8, size) : OF_SIZE(f16, f8e4m3, size))                                                  \
         : (i8 ? OF_SIZE(bf16, i8, size) : OF_SIZE(bf16, f8e4m3, size)))
        const std::size_t shared = shape.D == 64 ? std::max(ring_bytes<64>, balanced_bytes<64, warps, 2>)
                                                 : std::max(ring_bytes<128>, balanced_bytes<128, warps, 2>);
        launch_balanced(shape.D == 64 ? OF(d64) : OF(d128), 32 * warps, shared, Params{device, work()});
    }
};

Claims claims()
{
    Claims c = tensor_claims();
    c.kv_types = {DType::i8, DType::f8e4m3};
    c.block_table = c.scales = true;
    return c;
}

} // namespace

extern const KernelStep decode_09_quantised{
    .idea = "8-bit keys and values; scales fold into scores and weights",
    .claims = claims(),
    .prepare = prepare_step<Quantised>,
};

} // namespace headroom::cuda
