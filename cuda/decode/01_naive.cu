// Decode 01: three kernels, one per line of the formula; scores and weights go through memory.
//   changed    the first step: one thread computes one number
//   grid       scores (S/128, H, B*L), softmax (H, B*L), output (Dv/128, H, B*L)     block  128, 32, 128
//   reads      K and V group_size times each (every query head for itself), scores twice, weights Dv/128 times
//   limits     none but time: any D, any mask. Neighbouring threads read neighbouring keys, D apart: one number of
//              each 32-byte sector is used at a time
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

__device__ int query_of(const DeviceProblem& p) { return static_cast<int>(blockIdx.z) % p.L; }
__device__ int sequence_of(const DeviceProblem& p) { return static_cast<int>(blockIdx.z) / p.L; }

// scores[j] = q . k[j], masked
template <class T> __device__ void compute_scores(const Params& params)
{
    const DeviceProblem& p = params.problem;
    const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), h = static_cast<int>(blockIdx.y);
    const int b = sequence_of(p), i = query_of(p);
    if (j >= p.S) return;
    float dot = 0;
    if (visible(p, b, i, j)) {
        const float* q = row_of(p, static_cast<const float*>(p.q), b, h, i, p.D); // [D]
        const T* k = kv_row<T>(p.kv, p.kv.k, b, h / (p.H / p.Hkv), j);            // [D]
        for (int d = 0; d < p.D; ++d) dot += q[d] * static_cast<float>(k[d]);
    }
    row_of(p, params.scores, b, h, i, p.S)[j] = masked_score(p, b, h, i, j, dot);
}

// weights = softmax(scores): a warp for each row, twice over it
__device__ void compute_weights(const Params& params)
{
    const DeviceProblem& p = params.problem;
    const int lane = static_cast<int>(threadIdx.x), h = static_cast<int>(blockIdx.x);
    const int b = static_cast<int>(blockIdx.y) / p.L, i = static_cast<int>(blockIdx.y) % p.L;
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

// output[d] = sum over j of weights[j] * v[j][d]
template <class T> __device__ void compute_output(const Params& params)
{
    const DeviceProblem& p = params.problem;
    const int d = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), h = static_cast<int>(blockIdx.y);
    const int b = sequence_of(p), i = query_of(p);
    if (d >= p.Dv) return;
    const float* weights = row_of(p, static_cast<const float*>(params.weights), b, h, i, p.S); // [S]
    float output = 0;
    for (int j = 0; j < p.S; ++j)
        if (weights[j] != 0) // never 0 * v: an unseen v may be NaN
            output += weights[j] * static_cast<float>(kv_row<T>(p.kv, p.kv.v, b, h / (p.H / p.Hkv), j)[d]);
    row_of(p, p.output, b, h, i, p.Dv)[d] = output;
}

KERNEL(decode_01_naive_scores_f32, Params, 128, compute_scores<float>)
KERNEL(decode_01_naive_scores_f16, Params, 128, compute_scores<__half>)
KERNEL(decode_01_naive_scores_bf16, Params, 128, compute_scores<__nv_bfloat16>)
KERNEL(decode_01_naive_softmax, Params, 32, compute_weights)
// Left to itself, ptxas gives a thread 32 registers and spills two; eight blocks on a multiprocessor are plenty.
KERNEL(decode_01_naive_output_f32, Params, BOUNDS(128, 8), compute_output<float>)
KERNEL(decode_01_naive_output_f16, Params, BOUNDS(128, 8), compute_output<__half>)
KERNEL(decode_01_naive_output_bf16, Params, BOUNDS(128, 8), compute_output<__nv_bfloat16>)

class Naive : public StepRun {
public:
    Naive(Executor& on, const AttentionProblem& problem)
        : StepRun(on, problem), scores_(on, rows() * static_cast<std::size_t>(shape.S), "scores"),
          weights_(on, rows() * static_cast<std::size_t>(shape.S), "weights"), row_max_(on, rows(), "row_max"),
          row_sum_(on, rows(), "row_sum")
    {}
    void launch() override
    {
        const Params params{device, scores_.data(), weights_.data(), row_max_.data(), row_sum_.data()};
        const DType type = device.kv.k.type;
        const unsigned H = blocks(shape.H, 1), BL = blocks(shape.B * shape.L, 1);
        cuda::launch(executor,
                     for_type(type, decode_01_naive_scores_f32_kernel, decode_01_naive_scores_f16_kernel,
                              decode_01_naive_scores_bf16_kernel),
                     {.grid = {blocks(shape.S, 128), H, BL}, .block = {128}}, params);
        cuda::launch(executor, decode_01_naive_softmax_kernel, {.grid = {H, BL}, .block = {32}}, params);
        cuda::launch(executor,
                     for_type(type, decode_01_naive_output_f32_kernel, decode_01_naive_output_f16_kernel,
                              decode_01_naive_output_bf16_kernel),
                     {.grid = {blocks(shape.Dv, 128), H, BL}, .block = {128}}, params);
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

extern const KernelStep decode_01_naive{
    .idea = "one thread per number; scores and weights go through memory",
    .claims = simple_claims(),
    .prepare = prepare_step<Naive>,
};

} // namespace headroom::cuda
