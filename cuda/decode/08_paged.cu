// Decode 08: the cache is a pool of pages, and a table says which page holds which tokens of a sequence.
//   changed    07 read rows of one long block; here lane l < 16 looks up the page of row l one slice ahead, and a shuffle
//              hands it to the lanes that copy the row: the table's latency never stands in the way
//   grid       (blocks), at most 264: two for each of an H200's 132 multiprocessors
//   block      128: 4 warps, 16 tokens each at a time
//   reads      K and V once, and one table entry per row of K and V
//   limits     as 07; pages of a power of two of tokens, down to one token; without a table a sequence is one page
#include "cuda/primitives/balanced_work.h"
#include "cuda/primitives/cp_async.h"
#include "cuda/primitives/tile_products.h"
#include "cuda/step.h"
#include <algorithm>
#include <bit>

namespace headroom::cuda {
namespace {

constexpr int warps = 4, tile = 16 * warps, stages = 3;

struct Params {
    DeviceProblem problem;
    BalancedWork work;
    int page_shift; // a page holds 1 << page_shift tokens
};
template <int D> constexpr int slice_bytes = 16 * D * 2; // 16 tokens of K or V
template <int D> constexpr int ring_bytes = warps* stages * 2 * slice_bytes<D>;

// The page of row `lane` of the slice that begins at `token`, for lanes below 16.
__device__ int look_up(const DeviceProblem& p, int page_shift, int b, int token)
{
    const int j = token + static_cast<int>(threadIdx.x) % 32;
    if (static_cast<int>(threadIdx.x) % 32 >= 16 || j >= p.kv.length[b] || !p.kv.block_table) return b;
    return p.kv.block_table[b * p.kv.blocks_per_sequence + (j >> page_shift)];
}

// One slice of 16 tokens of K or V to shared memory: D/8 lanes copy a row. Zeros behind the end.
template <int D>
__device__ void copy_slice(const DeviceProblem& p, const StoredView& part, int page_shift, int pages, int b, int hkv,
                           int token, std::byte* to)
{
    using Layout = Swizzled<2 * D>;
    constexpr int rows_at_once = 32 / Layout::chunks;
    const int lane = static_cast<int>(threadIdx.x) % 32, chunk = lane % Layout::chunks;
#pragma unroll
    for (int i = 0; i < 16 / rows_at_once; ++i) {
        const int r = i * rows_at_once + lane / Layout::chunks, j = token + r;
        const Index page = __shfl_sync(~0u, pages, r), slot = j & ((Index{1} << page_shift) - 1);
        const bool there = j < p.kv.length[b];
        const std::byte* row =
            part.data + page * part.byte_stride[0] + hkv * part.byte_stride[1] + slot * part.byte_stride[2];
        cp_async_16(to + Layout::at(r, chunk), there ? row + 16 * chunk : part.data, there);
    }
}

template <class F, int D, int NT> __device__ void paged(const Params& params)
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
        int pages = look_up(p, params.page_shift, s.b, first_token(s.from)); // of the next slice to copy
        const auto start_copy = [&](int n) {
            if (n < s.to) {
                copy_slice<D>(p, p.kv.k, params.page_shift, pages, s.b, s.hkv, first_token(n), stage(n));
                copy_slice<D>(p, p.kv.v, params.page_shift, pages, s.b, s.hkv, first_token(n),
                              stage(n) + slice_bytes<D>);
                pages = look_up(p, params.page_shift, s.b, first_token(n + 1));
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
    KERNEL(decode_08_paged_##type##_d64_n1, Params, BOUNDS(128, 2), paged<F, 64, 1>)                                   \
    KERNEL(decode_08_paged_##type##_d64_n2, Params, BOUNDS(128, 2), paged<F, 64, 2>)                                   \
    KERNEL(decode_08_paged_##type##_d128_n1, Params, BOUNDS(128, 2), paged<F, 128, 1>)                                 \
    KERNEL(decode_08_paged_##type##_d128_n2, Params, BOUNDS(128, 2), paged<F, 128, 2>)
RING_KERNELS(f16, F16)
RING_KERNELS(bf16, BF16)

namespace {

class Paged : public BalancedRun {
public:
    Paged(Executor& on, const AttentionProblem& problem) : BalancedRun(on, problem, tile)
    {
        refuse_if(query_rows() > 16, "more than 16 query rows share a KV head");
        refuse_if(problem.kv.block_table && !std::has_single_bit(page_size()),
                  "its pages hold a power of two of tokens");
    }
    void launch() override
    {
        const bool f16 = device.kv.k.type == DType::f16, n1 = query_rows() <= 8;
#define OF(size)                                                                                                       \
    (f16 ? (n1 ? decode_08_paged_f16_##size##_n1_kernel : decode_08_paged_f16_##size##_n2_kernel)                      \
         : (n1 ? decode_08_paged_bf16_##size##_n1_kernel : decode_08_paged_bf16_##size##_n2_kernel))
        const std::size_t shared = shape.D == 64 ? std::max(ring_bytes<64>, balanced_bytes<64, warps, 2>)
                                                 : std::max(ring_bytes<128>, balanced_bytes<128, warps, 2>);
        const int page_shift = device.kv.block_table ? std::countr_zero(page_size()) : 31; // 31: one page
        launch_balanced(shape.D == 64 ? OF(d64) : OF(d128), 32 * warps, shared, Params{device, work(), page_shift});
    }

private:
    unsigned page_size() const { return static_cast<unsigned>(device.kv.k.extent[2]); }
};

Claims claims()
{
    Claims c = tensor_claims();
    c.block_table = true;
    return c;
}

} // namespace

extern const KernelStep decode_08_paged{
    .idea = "pages behind a table, looked up one slice ahead",
    .claims = claims(),
    .prepare = prepare_step<Paged>,
};

} // namespace headroom::cuda
