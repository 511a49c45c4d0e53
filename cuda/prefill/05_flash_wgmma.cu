// Prefill 05: Hopper's warpgroup products and copy engine; softmax of one tile overlaps the products of its neighbours.
//   changed    in 04 every warp loaded, multiplied and waited; here one thread copies (TMA), two warpgroups of 64 queries
//              each multiply straight from shared memory (wgmma), and they take turns, so that one multiplies while the
//              other computes exponentials; the product of the last weights with V runs beside the next scores
//   grid       (L/128, H, B), longest blocks first      block  384: a copying and two computing warpgroups
//   reads      Q once, K and V L/128 times per query head (about half if causal); no bank conflicts: boxes are swizzled
//   limits     sm_90; D = Dv 64 or 128, f16 or bf16, one block of rows per sequence
#include "cuda/primitives/fast_math.h"
#include "cuda/primitives/kv_row.h"
#include "cuda/primitives/mbarrier.h"
#include "cuda/primitives/named_barrier.h"
#include "cuda/primitives/pack.h"
#include "cuda/primitives/tma.h"
#include "cuda/primitives/vector_access.h"
#include "cuda/primitives/visible_range.h"
#include "cuda/primitives/wgmma.h"
#include "cuda/step.h"

namespace headroom::cuda {
namespace {

constexpr int queries = 128, keys = 128, stages = 2;
constexpr int box_bytes = keys * 128; // a box is 64 numbers wide
template <int D> constexpr int tile_bytes = D / 64 * box_bytes;
template <int D> constexpr int shared_bytes = (1 + 2 * stages) * tile_bytes<D> + 8 * (1 + 4 * stages);

struct Params {
    DeviceProblem problem;
    TensorMap q, k, v; // in boxes of 128 rows and 128 bytes
};

struct Shared {
    std::byte *Q, *K, *V; // [tile], [stages][tile] each
    std::uint64_t *q_full, *k_full, *k_empty, *v_full, *v_empty;
};

template <int D>
__device__ void load_tile(std::byte* to, const TensorMap& map, int head, int row, int b, std::uint64_t* full)
{
    mbar_expect_tx(full, tile_bytes<D>);
    for (int x = 0; x < D / 64; ++x) tma_load_4d(to + x * box_bytes, &map, 64 * x, head, row, b, full);
}

// One thread: the last tile first, for it holds the masked corner.
template <int D>
__device__ void copy_all(const Params& params, const Shared& at, int h, int hkv, int b, int first_query, int tiles)
{
    load_tile<D>(at.Q, params.q, h, first_query, b, at.q_full);
    for (int n = 0; n < tiles; ++n) {
        const int stage = n % stages, parity = n / stages % 2 ^ 1, from = (tiles - 1 - n) * keys;
        mbar_wait(at.k_empty + stage, parity);
        load_tile<D>(at.K + stage * tile_bytes<D>, params.k, hkv, from, b, at.k_full + stage);
        mbar_wait(at.v_empty + stage, parity);
        load_tile<D>(at.V + stage * tile_bytes<D>, params.v, hkv, from, b, at.v_full + stage);
    }
}

// One warpgroup's 64 queries. Each lane holds rows g and g + 8 of its warp's 16.
template <class F, int D> struct Consumer {
    const DeviceProblem& p;
    const Shared& at;
    int b, group; // 0 or 1
    int first_row, length, t;
    VisibleRange range[2];
    float scores[keys / 2], output[D / 2], max_score[2], sum[2], shrink[2];
    std::uint32_t weights[keys / 16][4];

    PRIMITIVE void start_scores(int stage)
    {
        wgmma_fence();
#pragma unroll
        for (int k = 0; k < D / 16; ++k)
            wgmma_ss<F, keys>(scores, desc_k_sw128(at.Q + k / 4 * box_bytes + group * 64 * 128 + k % 4 * 32),
                              desc_k_sw128(at.K + stage * tile_bytes<D> + k / 4 * box_bytes + k % 4 * 32), k > 0);
        wgmma_commit();
    }
    PRIMITIVE void start_output(int stage)
    {
        wgmma_fence();
#pragma unroll
        for (int k = 0; k < keys / 16; ++k)
            wgmma_rs_tb<F, D>(output, weights[k], desc_mn_sw128(at.V + stage * tile_bytes<D> + k * 2048, box_bytes), 1);
        wgmma_commit();
    }
    PRIMITIVE void softmax(int from)
    {
        const float power = p.scale * log2_of_e;
        const bool edge = from + keys > length || from + keys - 1 > min(range[0].last, range[1].last);
        float most[2] = {max_score[0], max_score[1]};
#pragma unroll
        for (int i = 0; i < keys / 2; ++i) {
            const int r = i >> 1 & 1, j = from + i / 4 * 8 + 2 * t + (i & 1);
            scores[i] = edge && j > range[r].last ? negative_infinity : scores[i] * power;
            most[r] = fmaxf(most[r], scores[i]);
        }
        float subtract[2];
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            most[r] = fmaxf(most[r], __shfl_xor_sync(~0u, most[r], 1));
            most[r] = fmaxf(most[r], __shfl_xor_sync(~0u, most[r], 2));
            subtract[r] = most[r] == negative_infinity ? 0 : most[r];
            shrink[r] = exp2_fast(max_score[r] - subtract[r]);
            max_score[r] = most[r];
            sum[r] *= shrink[r];
        }
#pragma unroll
        for (int i = 0; i < keys / 2; ++i) {
            scores[i] = exp2_fast(scores[i] - subtract[i >> 1 & 1]);
            sum[i >> 1 & 1] += scores[i];
        }
    }
    PRIMITIVE void pack_weights()
    {
#pragma unroll
        for (int k = 0; k < keys / 16; ++k)
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int from = 8 * k + 4 * (i >> 1) + 2 * (i & 1);
                weights[k][i] = pack2<F>(scores[from], scores[from + 1]);
            }
    }
};

// V's rows behind the end may be NaN, and 0 * NaN is NaN: both warpgroups zero them. A swizzle stays within its row.
template <int D> __device__ void zero_rows(std::byte* V, int from_row)
{
    constexpr int chunks = D / 8; // of 16 bytes in a row
    for (int i = static_cast<int>(threadIdx.x) - 128; i < (keys - from_row) * chunks; i += 256)
        st_vec(V + i % chunks / 8 * box_bytes + (from_row + i / chunks) * 128 + i % 8 * 16, make_uint4(0, 0, 0, 0));
    fence_proxy_async();
    named_sync(3, 256);
}

template <class F, int D>
__device__ void compute(const DeviceProblem& p, const Shared& at, int h, int b, int first_query, int tiles)
{
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32 % 4;
    const int group = static_cast<int>(threadIdx.x) / 128 - 1, turn = 1 + group, other = 2 - group;
    const bool lead = threadIdx.x % 128 == 0;
    Consumer<F, D> c{
        p,        at, b,  group, first_query + group * 64 + warp * 16 + lane / 4, static_cast<int>(p.kv.length[b]),
        lane % 4, {}, {}, {},    {negative_infinity, negative_infinity},          {},
        {},       {}};
    for (int r = 0; r < 2; ++r)
        if (c.first_row + 8 * r < p.L) c.range[r] = visible_range(p, b, c.first_row + 8 * r);

    if (tiles > 0) {
        const auto from = [&](int n) { return (tiles - 1 - n) * keys; };
        if (group == 1) named_arrive(1, 256); // barrier 1 + group: that warpgroup may multiply; the first begins
        mbar_wait(at.q_full, 0);
        mbar_wait(at.k_full, 0);
        c.start_scores(0);
        wgmma_wait<0>();
        if (lead) mbar_arrive(at.k_empty);
        c.softmax(from(0));
        c.pack_weights();
        if (tiles * keys > c.length) {
            mbar_wait(at.v_full, 0);
            zero_rows<D>(at.V, c.length - from(0));
        }
        for (int n = 1; n < tiles; ++n) {
            const int stage = n % stages, last = (n - 1) % stages;
            mbar_wait(at.k_full + stage, n / stages % 2);
            named_sync(turn, 256);
            c.start_scores(stage);
            mbar_wait(at.v_full + last, (n - 1) / stages % 2);
            c.start_output(last);
            named_arrive(other, 256);
            wgmma_wait<1>(); // the scores; the output may still be under way
            if (lead) mbar_arrive(at.k_empty + stage);
            c.softmax(from(n));
            wgmma_wait<0>();
            if (lead) mbar_arrive(at.v_empty + last);
#pragma unroll
            for (int i = 0; i < D / 2; ++i) c.output[i] *= c.shrink[i >> 1 & 1];
            c.pack_weights();
        }
        mbar_wait(at.v_full + (tiles - 1) % stages, (tiles - 1) / stages % 2);
        c.start_output((tiles - 1) % stages);
        wgmma_wait<0>();
        if (group == 0) named_sync(1, 256); // takes the last arrival, so that none is left over
    }

#pragma unroll
    for (int r = 0; r < 2; ++r) {
        c.sum[r] += __shfl_xor_sync(~0u, c.sum[r], 1);
        c.sum[r] += __shfl_xor_sync(~0u, c.sum[r], 2);
        const int i = c.first_row + 8 * r;
        if (i >= p.L) continue;
        SoftmaxState state{c.max_score[r] * log_of_2, c.sum[r]};
        const float factor = add_sink(p, h, state) * inverse(state);
        float* to = row_of(p, p.output, b, h, i, D); // [D]
#pragma unroll
        for (int d = 0; d < D / 8; ++d)
            st_vec(to + 8 * d + 2 * c.t,
                   make_float2(c.output[4 * d + 2 * r] * factor, c.output[4 * d + 2 * r + 1] * factor));
        if (c.t == 0) *row_of(p, p.lse, b, h, i, 1) = log_sum_exp(state);
    }
}

template <class F, int D> __device__ void flash(const Params& params)
{
    const DeviceProblem& p = params.problem;
    const int h = static_cast<int>(blockIdx.y), b = static_cast<int>(blockIdx.z);
    const int first_query = static_cast<int>(gridDim.x - 1 - blockIdx.x) * queries;
    const int real = p.query_length ? static_cast<int>(p.query_length[b]) : p.L;
    const int last_query = min(first_query + queries, real) - 1;
    const int end = last_query >= 0 ? max(0, visible_range(p, b, last_query).last + 1) : 0;
    const int tiles = (end + keys - 1) / keys;

    DYNAMIC_SHARED(std::byte, shared);
    std::uint64_t* bars = reinterpret_cast<std::uint64_t*>(shared + (1 + 2 * stages) * tile_bytes<D>);
    const Shared at{shared,
                    shared + tile_bytes<D>,
                    shared + (1 + stages) * tile_bytes<D>,
                    bars,
                    bars + 1,
                    bars + 1 + stages,
                    bars + 1 + 2 * stages,
                    bars + 1 + 3 * stages};
    if (threadIdx.x == 0) {
        mbar_init(at.q_full, 1);
        for (int i = 0; i < stages; ++i) {
            mbar_init(at.k_full + i, 1), mbar_init(at.v_full + i, 1);
            mbar_init(at.k_empty + i, 2), mbar_init(at.v_empty + i, 2);
        }
        mbar_init_fence();
    }
    __syncthreads();
    if (threadIdx.x < 128) {
        reg_dec<24>();
        if (threadIdx.x == 0 && tiles > 0) copy_all<D>(params, at, h, h / (p.H / p.Hkv), b, first_query, tiles);
    } else {
        reg_inc<240>();
        compute<F, D>(p, at, h, b, first_query, tiles);
    }
}

} // namespace

KERNEL(prefill_05_flash_wgmma_f16_d64, Params, BOUNDS(384, 1), flash<F16, 64>)
KERNEL(prefill_05_flash_wgmma_f16_d128, Params, BOUNDS(384, 1), flash<F16, 128>)
KERNEL(prefill_05_flash_wgmma_bf16_d64, Params, BOUNDS(384, 1), flash<BF16, 64>)
KERNEL(prefill_05_flash_wgmma_bf16_d128, Params, BOUNDS(384, 1), flash<BF16, 128>)

namespace {

class FlashWgmma : public StepRun {
public:
    FlashWgmma(Executor& on, const AttentionProblem& problem) : StepRun(on, problem, Queries::as_stored)
    {
        refuse_unaligned_rows();
    }
    void launch() override
    {
        if (rows() == 0) return;
        const bool f16 = device.kv.k.type == DType::f16, d64 = shape.D == 64;
        const auto kernel =
            f16 ? (d64 ? prefill_05_flash_wgmma_f16_d64_kernel : prefill_05_flash_wgmma_f16_d128_kernel)
                : (d64 ? prefill_05_flash_wgmma_bf16_d64_kernel : prefill_05_flash_wgmma_bf16_d128_kernel);
        const std::size_t shared = d64 ? shared_bytes<64> : shared_bytes<128>;
        const Index width = 2 * shape.D;
        const TensorMap q =
            map(device.q, {shape.D, shape.H, shape.L, shape.B}, {shape.L * width, width, shape.H * shape.L * width});
        const Dim grid{blocks(shape.L, queries), blocks(shape.H, 1), blocks(shape.B, 1)};
        cuda::launch(executor, kernel, {.grid = grid, .block = {384}, .dynamic_shared = shared},
                     Params{device, q, map(device.kv.k), map(device.kv.v)});
    }

private:
    TensorMap map(const void* data, std::array<Index, 4> extent, std::array<Index, 3> stride) const
    {
        return executor.tensor_map(
            {.data = data, .element_bytes = 2, .extent = extent, .byte_stride = stride, .box = {64, 1, keys, 1}});
    }
    TensorMap map(const StoredView& part) const
    {
        return map(part.data, {part.extent[3], part.extent[1], part.extent[2], part.extent[0]},
                   {part.byte_stride[1], part.byte_stride[2], part.byte_stride[0]});
    }
};

Claims claims()
{
    Claims c = tensor_claims();
    c.window = c.sinks = c.soft_cap = false;
    return c;
}

} // namespace

extern const KernelStep prefill_05_flash_wgmma{
    .idea = "warpgroup products, copy engine, softmax beside the products",
    .claims = claims(),
    .prepare = prepare_step<FlashWgmma>,
};

} // namespace headroom::cuda
