// Prefill 02: both products in tiles of 16 x 16 through shared memory, as any matrix product.
//   changed    01 read a row of Q and of K for each score; here 256 threads load a tile of each once and use it 16 times
//   grid       scores (S/16, L/16, B*H), softmax (L, B*H), output (Dv/16, L/16, B*H)     block  16 x 16, 32, 16 x 16
//   reads      Q S/16 times, K and V L/16 times, scores twice, weights Dv/16 times; all in full sectors
//   limits     as 01: the scores still go through memory
#include "cuda/primitives/kv_row.h"
#include "cuda/primitives/masked_score.h"
#include "cuda/primitives/softmax_state.h"
#include "cuda/step.h"

namespace headroom::cuda {
namespace {

struct Params {
    DeviceProblem problem;
    float *scores, *weights;  // [B, H, L, S]
    float *row_max, *row_sum; // [B, H, L]
};

__device__ int column() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }
__device__ int row() { return static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y); }

// scores[i][j] = q[i] . k[j], masked
template <class T> __device__ void compute_scores(const Params& params)
{
    const DeviceProblem& p = params.problem;
    const int b = static_cast<int>(blockIdx.z) / p.H, h = static_cast<int>(blockIdx.z) % p.H, i = row(), j = column();
    const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
    const int key = static_cast<int>(blockIdx.x) * 16 + y; // that this thread loads a number of
    const bool there = key < p.kv.length[b];
    const T* k = kv_row<T>(p.kv, p.kv.k, b, h / (p.H / p.Hkv), there ? key : 0);            // [D]
    const float* q = row_of(p, static_cast<const float*>(p.q), b, h, min(i, p.L - 1), p.D); // [D]
    SHARED_ARRAY(float, Q, [16][17]); // 17: the 16 rows of a column lie in different banks
    SHARED_ARRAY(float, K, [16][17]);
    float dot = 0;
    for (int from = 0; from < p.D; from += 16) {
        Q[y][x] = from + x < p.D ? q[from + x] : 0;
        K[y][x] = there && from + x < p.D ? static_cast<float>(k[from + x]) : 0;
        __syncthreads();
        for (int d = 0; d < 16; ++d) dot += Q[y][d] * K[x][d];
        __syncthreads();
    }
    if (i < p.L && j < p.S) row_of(p, params.scores, b, h, i, p.S)[j] = masked_score(p, b, h, i, j, dot);
}

// weights[i] = softmax(scores[i]): a warp for each row
__device__ void compute_weights(const Params& params)
{
    const DeviceProblem& p = params.problem;
    const int lane = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x);
    const int b = static_cast<int>(blockIdx.y) / p.H, h = static_cast<int>(blockIdx.y) % p.H;
    const float* scores = row_of(p, static_cast<const float*>(params.scores), b, h, i, p.S); // [S]
    float* weights = row_of(p, params.weights, b, h, i, p.S);                                // [S]

    SoftmaxState state;
    for (int j = lane; j < p.S; j += 32) state.max = larger(state.max, scores[j]);
    for (int step = 16; step; step >>= 1) state.max = larger(state.max, __shfl_xor_sync(~0u, state.max, step));
    for (int j = lane; j < p.S; j += 32) state.sum += expf(scores[j] - safe(state.max));
    for (int step = 16; step; step >>= 1) state.sum += __shfl_xor_sync(~0u, state.sum, step);
    add_sink(p, h, state);
    for (int j = lane; j < p.S; j += 32) // selected: 0 * inverse would be NaN in a row of a NaN
        weights[j] = scores[j] == -INFINITY ? 0 : expf(scores[j] - state.max) * inverse(state);
    if (lane == 0) {
        *row_of(p, params.row_max, b, h, i, 1) = state.max;
        *row_of(p, params.row_sum, b, h, i, 1) = state.sum;
        *row_of(p, p.lse, b, h, i, 1) = log_sum_exp(state);
    }
}

// output[i][d] = sum over j of weights[i][j] * v[j][d]
template <class T> __device__ void compute_output(const Params& params)
{
    const DeviceProblem& p = params.problem;
    const int b = static_cast<int>(blockIdx.z) / p.H, h = static_cast<int>(blockIdx.z) % p.H, i = row(), d = column();
    const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
    const float* weights = row_of(p, static_cast<const float*>(params.weights), b, h, min(i, p.L - 1), p.S); // [S]
    SHARED_ARRAY(float, W, [16][17]);
    SHARED_ARRAY(float, V, [16][17]);
    float output = 0;
    for (int from = 0; from < p.S; from += 16) {
        W[y][x] = from + x < p.S ? weights[from + x] : 0;
        const bool there = from + y < p.kv.length[b] && d < p.Dv;
        V[y][x] = there ? static_cast<float>(kv_row<T>(p.kv, p.kv.v, b, h / (p.H / p.Hkv), from + y)[d]) : 0;
        __syncthreads();
        for (int j = 0; j < 16; ++j)
            if (W[y][j] != 0) output += W[y][j] * V[j][x]; // never 0 * v: an unseen v may be NaN
        __syncthreads();
    }
    if (i < p.L && d < p.Dv) row_of(p, p.output, b, h, i, p.Dv)[d] = output;
}

KERNEL(prefill_02_shared_tiles_scores_f32, Params, 256, compute_scores<float>)
KERNEL(prefill_02_shared_tiles_scores_f16, Params, 256, compute_scores<__half>)
KERNEL(prefill_02_shared_tiles_scores_bf16, Params, 256, compute_scores<__nv_bfloat16>)
KERNEL(prefill_02_shared_tiles_softmax, Params, 32, compute_weights)
KERNEL(prefill_02_shared_tiles_output_f32, Params, 256, compute_output<float>)
KERNEL(prefill_02_shared_tiles_output_f16, Params, 256, compute_output<__half>)
KERNEL(prefill_02_shared_tiles_output_bf16, Params, 256, compute_output<__nv_bfloat16>)

class SharedTiles : public StepRun {
public:
    SharedTiles(Executor& on, const AttentionProblem& problem)
        : StepRun(on, problem), scores_(on, rows() * static_cast<std::size_t>(shape.S), "scores"),
          weights_(on, rows() * static_cast<std::size_t>(shape.S), "weights"), row_max_(on, rows(), "row_max"),
          row_sum_(on, rows(), "row_sum")
    {}
    void launch() override
    {
        const Params params{device, scores_.data(), weights_.data(), row_max_.data(), row_sum_.data()};
        const DType type = device.kv.k.type;
        const unsigned L = blocks(shape.L, 16), BH = blocks(shape.B * shape.H, 1);
        cuda::launch(executor,
                     for_type(type, prefill_02_shared_tiles_scores_f32_kernel,
                              prefill_02_shared_tiles_scores_f16_kernel, prefill_02_shared_tiles_scores_bf16_kernel),
                     {.grid = {blocks(shape.S, 16), L, BH}, .block = {16, 16}}, params);
        cuda::launch(executor, prefill_02_shared_tiles_softmax_kernel,
                     {.grid = {blocks(shape.L, 1), BH}, .block = {32}}, params);
        cuda::launch(executor,
                     for_type(type, prefill_02_shared_tiles_output_f32_kernel,
                              prefill_02_shared_tiles_output_f16_kernel, prefill_02_shared_tiles_output_bf16_kernel),
                     {.grid = {blocks(shape.Dv, 16), L, BH}, .block = {16, 16}}, params);
    }
    AttentionStages stages() override
    {
        AttentionStages s = StepRun::stages();
        const auto [B, H, Hkv, L, S, D, Dv] = shape;
        s.masked_scores = tensor(scores_, {B, H, L, S});
        s.row_max = tensor(row_max_, {B, H, L});
        s.row_sum = tensor(row_sum_, {B, H, L});
        s.weights = tensor(weights_, {B, H, L, S});
        return s;
    }

private:
    Buffer<float> scores_, weights_, row_max_, row_sum_;
};

} // namespace

extern const KernelStep prefill_02_shared_tiles{
    .idea = "both products in tiles through shared memory",
    .claims = simple_claims(),
    .prepare = prepare_step<SharedTiles>,
};

} // namespace headroom::cuda
