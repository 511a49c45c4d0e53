// Prefill 03: scores, softmax and the product with V in one kernel; scores never reach memory.
//   changed    02 wrote L*S scores; here a block keeps 16 queries, walks over tiles of 32 keys and rescales what it has
//              gathered when the maximum grows. Tiles that no query of the block sees are not read
//   grid       (L/16, H, B)       block  128: 4 warps, 4 queries each; lane = key while scoring, = feature while adding
//   reads      Q once, K and V L/16 times (about half of that if causal), in full sectors
//   limits     D, Dv <= 256
#include "cuda/primitives/kv_row.h"
#include "cuda/primitives/masked_score.h"
#include "cuda/primitives/softmax_state.h"
#include "cuda/step.h"
#include <algorithm>

namespace headroom::cuda {
namespace {

constexpr int queries = 16, keys = 32, per_warp = 4, most_features = 256 / 32, threads = 128;

struct Params {
    DeviceProblem problem;
    int pitch; // of a tile's row: max(D, Dv) made odd, so that a column's 32 rows lie in 32 banks
};

// A tile of K or V into shared memory; zeros behind the end, for 0 * NaN is NaN.
template <class T>
__device__ void load_tile(const DeviceProblem& p, const StoredView& part, int width, int b, int hkv, int from,
                          float* tile, int pitch)
{
    for (int n = static_cast<int>(threadIdx.x); n < keys * width; n += threads) {
        const int j = n / width, d = n % width;
        const bool there = from + j < p.kv.length[b];
        tile[j * pitch + d] = there ? static_cast<float>(kv_row<T>(p.kv, part, b, hkv, from + j)[d]) : 0;
    }
}

template <class T> __device__ void online(const Params& params)
{
    const DeviceProblem& p = params.problem;
    const int h = static_cast<int>(blockIdx.y), b = static_cast<int>(blockIdx.z), hkv = h / (p.H / p.Hkv);
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const int first = static_cast<int>(blockIdx.x) * queries, mine = first + warp * per_warp;
    DYNAMIC_SHARED(float, Q);                 // [queries, pitch]
    float* tile = Q + queries * params.pitch; // [keys, pitch], first K, then V
    for (int n = static_cast<int>(threadIdx.x); n < queries * p.D; n += threads) {
        const int i = min(first + n / p.D, p.L - 1);
        Q[n / p.D * params.pitch + n % p.D] = row_of(p, static_cast<const float*>(p.q), b, h, i, p.D)[n % p.D];
    }

    // A key's position is at least its index, so behind the last query's position nothing is visible.
    Index end = p.kv.length[b];
    if (p.causal != Causal::none) end = min(end, query_position(p, b, min(first + queries, p.L) - 1) + 1);

    SoftmaxState state[per_warp];
    float output[per_warp][most_features] = {};
    for (int from = 0; from < end; from += keys) {
        // Scores: lane = key.
        __syncthreads(); // Q is there; the last tile is done with
        load_tile<T>(p, p.kv.k, p.D, b, hkv, from, tile, params.pitch);
        __syncthreads();
        float weight[per_warp];
        for (int r = 0; r < per_warp; ++r) {
            float dot = 0;
            for (int d = 0; d < p.D; ++d)
                dot += Q[(warp * per_warp + r) * params.pitch + d] * tile[lane * params.pitch + d];
            const float score = mine + r < p.L ? masked_score(p, b, h, mine + r, from + lane, dot) : -INFINITY;

            // Softmax: the warp agrees on the new maximum.
            float max = score;
            for (int step = 16; step; step >>= 1) max = fmaxf(max, __shfl_xor_sync(~0u, max, step));
            max = fmaxf(max, state[r].max);
            const float old = expf(state[r].max - safe(max));
            weight[r] = expf(score - safe(max));
            float sum = weight[r];
            for (int step = 16; step; step >>= 1) sum += __shfl_xor_sync(~0u, sum, step);
            state[r] = {max, state[r].sum * old + sum};
            for (int n = 0; n < most_features; ++n) output[r][n] *= old;
        }

        // Output: lane = feature.
        __syncthreads(); // everybody has read K
        load_tile<T>(p, p.kv.v, p.Dv, b, hkv, from, tile, params.pitch);
        __syncthreads();
        for (int r = 0; r < per_warp; ++r)
            for (int j = 0; j < keys; ++j) {
                const float w = __shfl_sync(~0u, weight[r], j);
                if (w != 0)
                    for (int n = 0, d = lane; n < most_features; ++n, d += 32)
                        if (d < p.Dv) output[r][n] += w * tile[j * params.pitch + d];
            }
    }

    for (int r = 0; r < per_warp && mine + r < p.L; ++r) {
        const float factor = add_sink(p, h, state[r]) * inverse(state[r]);
        float* to = row_of(p, p.output, b, h, mine + r, p.Dv); // [Dv]
        for (int n = 0, d = lane; n < most_features; ++n, d += 32)
            if (d < p.Dv) to[d] = output[r][n] * factor;
        if (lane == 0) *row_of(p, p.lse, b, h, mine + r, 1) = log_sum_exp(state[r]);
    }
}

KERNEL(prefill_03_online_softmax_f32, Params, 128, online<float>)
KERNEL(prefill_03_online_softmax_f16, Params, 128, online<__half>)
KERNEL(prefill_03_online_softmax_bf16, Params, 128, online<__nv_bfloat16>)

class OnlineSoftmax : public StepRun {
public:
    OnlineSoftmax(Executor& on, const AttentionProblem& problem) : StepRun(on, problem)
    {
        refuse_if(std::max(shape.D, shape.Dv) > 256, "head_dim or value_dim is beyond 256");
    }
    void launch() override
    {
        const auto kernel = for_type(device.kv.k.type, prefill_03_online_softmax_f32_kernel,
                                     prefill_03_online_softmax_f16_kernel, prefill_03_online_softmax_bf16_kernel);
        const int pitch = std::max(device.D, device.Dv) | 1;
        const Dim grid{blocks(shape.L, queries), blocks(shape.H, 1), blocks(shape.B, 1)};
        const std::size_t shared = static_cast<std::size_t>((queries + keys) * pitch) * sizeof(float);
        cuda::launch(executor, kernel, {.grid = grid, .block = {threads}, .dynamic_shared = shared},
                     Params{device, pitch});
    }
};

} // namespace

extern const KernelStep prefill_03_online_softmax{
    .idea = "one kernel with a running softmax: no scores in memory",
    .claims = simple_claims(),
    .prepare = prepare_step<OnlineSoftmax>,
};

} // namespace headroom::cuda
