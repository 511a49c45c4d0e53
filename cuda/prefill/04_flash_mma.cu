// Prefill 04: FlashAttention-2 on tensor cores; a warp owns 16 query rows, all warps share tiles of 64 keys.
//   changed    03 multiplied on CUDA cores; here mma does, P stays in registers as the next product's operand, and
//              cp.async brings the next tile while this one is worked on. Rows are (query, head of the group) pairs, so
//              that a group shares K and V, and few queries with many heads (decode, speculation) fill a tile too
//   grid       (L * group_size / 64, Hkv, B)      block  128: 4 warps
//   reads      Q once, K and V L * group_size / 64 times (about half if causal); no bank conflicts: rows are swizzled
//   limits     D = Dv 64 or 128, f16 or bf16
#include "cuda/primitives/cp_async.h"
#include "cuda/primitives/fast_math.h"
#include "cuda/primitives/kv_row.h"
#include "cuda/primitives/ldmatrix.h"
#include "cuda/primitives/mma.h"
#include "cuda/primitives/pack.h"
#include "cuda/primitives/swizzle.h"
#include "cuda/primitives/vector_access.h"
#include "cuda/primitives/visible_range.h"
#include "cuda/step.h"

namespace headroom::cuda {
namespace {

constexpr int warps = 4, rows_per_block = 16 * warps, keys = 64;
template <int D> constexpr int tile_bytes = keys* D * 2;

// Tile n of K or V into the half of `tiles` that it takes turns with; zeros behind the end.
template <int D>
__device__ void copy_tile(const DeviceProblem& p, const StoredView& part, int b, int hkv, int n, int end,
                          std::byte* tiles)
{
    using Layout = Swizzled<2 * D>;
    if (n * keys < end)
#pragma unroll
        for (int i = static_cast<int>(threadIdx.x); i < keys * Layout::chunks; i += 32 * warps) {
            const int r = i / Layout::chunks, chunk = i % Layout::chunks, j = n * keys + r;
            const bool there = j < p.kv.length[b];
            cp_async_16(tiles + n % 2 * tile_bytes<D> + Layout::at(r, chunk),
                        kv_row<std::byte>(p.kv, part, b, hkv, there ? j : 0) + 16 * chunk, there);
        }
    cp_async_commit(); // a group for every n, so that counting groups counts tiles
}

template <class F, int D> __device__ void flash(const DeviceProblem& p)
{
    using Layout = Swizzled<2 * D>;
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32, g = lane / 4,
              t = lane % 4;
    const int hkv = static_cast<int>(blockIdx.y), b = static_cast<int>(blockIdx.z), group = p.H / p.Hkv;
    const int rows = p.L * group, first_row = static_cast<int>(blockIdx.x) * rows_per_block;
    DYNAMIC_SHARED(std::byte, K); // [2 tiles] K, [2 tiles] V
    std::byte* V = K + 2 * tile_bytes<D>;

    // No row of this block sees a key at or behind `end`.
    const int queries = p.query_length ? static_cast<int>(p.query_length[b]) : p.L;
    const int last_query = min(min(first_row + rows_per_block, rows) - 1, queries * group - 1) / group;
    const int end = queries > 0 ? max(0, visible_range(p, b, last_query).last + 1) : 0;
    copy_tile<D>(p, p.kv.k, b, hkv, 0, end, K);
    copy_tile<D>(p, p.kv.v, b, hkv, 0, end, V);

    // This lane's two rows: g and g + 8 of the warp's 16.
    std::uint32_t q[D / 16][4];
    VisibleRange range[2];
    float output[D / 8][4] = {}, max_score[2] = {negative_infinity, negative_infinity}, sum[2] = {};
#pragma unroll
    for (int r = 0; r < 2; ++r) {
        const int row = first_row + warp * 16 + g + 8 * r;
        const bool there = row < rows;
        const std::uint16_t* from = row_of(p, static_cast<const std::uint16_t*>(p.q), b,
                                           hkv * group + (there ? row % group : 0), there ? row / group : 0, D);
        if (there) range[r] = visible_range(p, b, row / group);
#pragma unroll
        for (int k = 0; k < D / 16; ++k) {
            q[k][r] = there ? ld_vec<std::uint32_t>(from + 16 * k + 2 * t) : 0;
            q[k][2 + r] = there ? ld_vec<std::uint32_t>(from + 16 * k + 8 + 2 * t) : 0;
        }
    }

    for (int n = 0; n * keys < end; ++n) {
        // Scores [16, 64] of this warp.
        copy_tile<D>(p, p.kv.k, b, hkv, n + 1, end, K);
        cp_async_wait<2>(); // K of tile n has landed; its V and the next K may be under way
        __syncthreads();
        float s[keys / 8][4] = {};
#pragma unroll
        for (int k = 0; k < D / 16; ++k)
#pragma unroll
            for (int j = 0; j < keys / 8; j += 2) {
                std::uint32_t r[4]; // 16 keys, 16 features
                ldmatrix_x4(r, K + n % 2 * tile_bytes<D> +
                                   Layout::at(8 * j + (lane & 7) + (lane >> 4 << 3), 2 * k + (lane >> 3 & 1)));
                mma_16816<F>(s[j], q[k], {r[0], r[1]});
                mma_16816<F>(s[j + 1], q[k], {r[2], r[3]});
            }

            // Softmax: a row's 64 scores lie in four lanes.
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            float most = max_score[r];
#pragma unroll
            for (int j = 0; j < keys / 8; ++j)
#pragma unroll
                for (int e = 2 * r; e < 2 * r + 2; ++e) {
                    float score = p.scale * s[j][e];
                    if (p.soft_cap > 0) score = p.soft_cap * tanhf(score / p.soft_cap);
                    const bool seen = range[r].sees(p, n * keys + 8 * j + 2 * t + (e & 1));
                    s[j][e] = seen ? score * log2_of_e : negative_infinity;
                    most = fmaxf(most, s[j][e]);
                }
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 1));
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 2));
            const float subtract = most == negative_infinity ? 0 : most, old = exp2_fast(max_score[r] - subtract);
            max_score[r] = most;
            sum[r] *= old;
#pragma unroll
            for (int d = 0; d < D / 8; ++d) output[d][2 * r] *= old, output[d][2 * r + 1] *= old;
#pragma unroll
            for (int j = 0; j < keys / 8; ++j)
#pragma unroll
                for (int e = 2 * r; e < 2 * r + 2; ++e) sum[r] += s[j][e] = exp2_fast(s[j][e] - subtract);
        }

        // Output: the scores' registers are the weights' operand as they are.
        copy_tile<D>(p, p.kv.v, b, hkv, n + 1, end, V);
        cp_async_wait<2>(); // V of tile n has landed
        __syncthreads();    // and everybody has read K of tile n, which the next round overwrites
#pragma unroll
        for (int k = 0; k < keys / 16; ++k) {
            const std::uint32_t weights[4] = {pack2<F>(s[2 * k][0], s[2 * k][1]), pack2<F>(s[2 * k][2], s[2 * k][3]),
                                              pack2<F>(s[2 * k + 1][0], s[2 * k + 1][1]),
                                              pack2<F>(s[2 * k + 1][2], s[2 * k + 1][3])};
#pragma unroll
            for (int d = 0; d < D / 8; d += 2) {
                std::uint32_t r[4];
                ldmatrix_x4_trans(r, V + n % 2 * tile_bytes<D> + Layout::at(16 * k + (lane & 15), d + (lane >> 4)));
                mma_16816<F>(output[d], weights, {r[0], r[1]});
                mma_16816<F>(output[d + 1], weights, {r[2], r[3]});
            }
        }
    }
    cp_async_wait<0>();

#pragma unroll
    for (int r = 0; r < 2; ++r) {
        sum[r] += __shfl_xor_sync(~0u, sum[r], 1);
        sum[r] += __shfl_xor_sync(~0u, sum[r], 2);
        const int row = first_row + warp * 16 + g + 8 * r;
        if (row >= rows) continue;
        const int h = hkv * group + row % group, i = row / group;
        SoftmaxState state{max_score[r] * log_of_2, sum[r]};
        const float factor = add_sink(p, h, state) * inverse(state);
        float* to = row_of(p, p.output, b, h, i, D); // [D]
#pragma unroll
        for (int d = 0; d < D / 8; ++d)
            st_vec(to + 8 * d + 2 * t, make_float2(output[d][2 * r] * factor, output[d][2 * r + 1] * factor));
        if (t == 0) *row_of(p, p.lse, b, h, i, 1) = log_sum_exp(state);
    }
}

} // namespace

KERNEL(prefill_04_flash_mma_f16_d64, DeviceProblem, BOUNDS(128, 2), flash<F16, 64>)
KERNEL(prefill_04_flash_mma_f16_d128, DeviceProblem, BOUNDS(128, 2), flash<F16, 128>)
KERNEL(prefill_04_flash_mma_bf16_d64, DeviceProblem, BOUNDS(128, 2), flash<BF16, 64>)
KERNEL(prefill_04_flash_mma_bf16_d128, DeviceProblem, BOUNDS(128, 2), flash<BF16, 128>)

namespace {

class FlashMma : public StepRun {
public:
    FlashMma(Executor& on, const AttentionProblem& problem) : StepRun(on, problem, Queries::as_stored)
    {
        refuse_unaligned_rows();
    }
    void launch() override
    {
        if (rows() == 0) return;
        const bool f16 = device.kv.k.type == DType::f16, d64 = shape.D == 64;
        const auto kernel = f16 ? (d64 ? prefill_04_flash_mma_f16_d64_kernel : prefill_04_flash_mma_f16_d128_kernel)
                                : (d64 ? prefill_04_flash_mma_bf16_d64_kernel : prefill_04_flash_mma_bf16_d128_kernel);
        const std::size_t shared = d64 ? 4 * tile_bytes<64> : 4 * tile_bytes<128>;
        const Dim grid{blocks(query_rows(), rows_per_block), blocks(shape.Hkv, 1), blocks(shape.B, 1)};
        cuda::launch(executor, kernel, {.grid = grid, .block = {32 * warps}, .dynamic_shared = shared}, device);
    }
};

} // namespace

extern const KernelStep prefill_04_flash_mma{
    .idea = "tensor cores, weights stay in registers, tiles by cp.async",
    .claims = tensor_claims(),
    .prepare = prepare_step<FlashMma>,
};

} // namespace headroom::cuda
