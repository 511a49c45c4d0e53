// Decode 02: one pass with a running softmax; scores never reach memory.
//   changed    01 wrote scores and weights and read them back; here a warp keeps maximum, sum and output in registers:
//              new = max(old max, score), and what was gathered so far shrinks by exp(old max - new)
//   grid       (H, L, B)          block  32: lane d, d + 32, ... owns features of the output
//   reads      K and V group_size times each, once per query head; neighbouring lanes read neighbouring features
//   limits     Dv <= 256 (8 registers a lane); one warp walks a whole sequence, so few blocks leave the GPU idle
#include "cuda/primitives/kv_row.h"
#include "cuda/primitives/masked_score.h"
#include "cuda/primitives/softmax_state.h"
#include "cuda/step.h"

namespace headroom::cuda {
namespace {

constexpr int most_features = 256 / 32;

template <class T> __device__ void online(const DeviceProblem& p)
{
    const int h = static_cast<int>(blockIdx.x), i = static_cast<int>(blockIdx.y), b = static_cast<int>(blockIdx.z);
    const int lane = static_cast<int>(threadIdx.x), hkv = h / (p.H / p.Hkv);
    const float* q = row_of(p, static_cast<const float*>(p.q), b, h, i, p.D); // [D]
    const int length = static_cast<int>(p.kv.length[b]);

    SoftmaxState state;
    float output[most_features] = {};
    for (int j = 0; j < length; ++j) {
        // The score of key j: each lane multiplies its features, the warp adds.
        const T* k = kv_row<T>(p.kv, p.kv.k, b, hkv, j); // [D]
        float dot = 0;
        for (int d = lane; d < p.D; d += 32) dot += q[d] * static_cast<float>(k[d]);
        for (int step = 16; step; step >>= 1) dot += __shfl_xor_sync(~0u, dot, step);
        const float score = masked_score(p, b, h, i, j, dot);
        if (score == -INFINITY) continue; // the whole warp agrees

        // Rescale what was gathered so far, add this key.
        const T* v = kv_row<T>(p.kv, p.kv.v, b, hkv, j); // [Dv]
        const float max = fmaxf(state.max, score);
        const float old = expf(state.max - max), weight = expf(score - max);
        for (int n = 0, d = lane; n < most_features; ++n, d += 32)
            if (d < p.Dv) output[n] = output[n] * old + weight * static_cast<float>(v[d]);
        state = {max, state.sum * old + weight};
    }

    const float factor = add_sink(p, h, state) * inverse(state);
    float* to = row_of(p, p.output, b, h, i, p.Dv); // [Dv]
    for (int n = 0, d = lane; n < most_features; ++n, d += 32)
        if (d < p.Dv) to[d] = output[n] * factor;
    if (lane == 0) *row_of(p, p.lse, b, h, i, 1) = log_sum_exp(state);
}

KERNEL(decode_02_online_softmax_f32, DeviceProblem, 32, online<float>)
KERNEL(decode_02_online_softmax_f16, DeviceProblem, 32, online<__half>)
KERNEL(decode_02_online_softmax_bf16, DeviceProblem, 32, online<__nv_bfloat16>)

class OnlineSoftmax : public StepRun {
public:
    OnlineSoftmax(Executor& on, const AttentionProblem& problem) : StepRun(on, problem)
    {
        refuse_if(shape.Dv > 32 * most_features, "value_dim " + std::to_string(shape.Dv) + " is beyond 256");
    }
    void launch() override
    {
        const auto kernel = for_type(device.kv.k.type, decode_02_online_softmax_f32_kernel,
                                     decode_02_online_softmax_f16_kernel, decode_02_online_softmax_bf16_kernel);
        const Dim grid{blocks(shape.H, 1), blocks(shape.L, 1), blocks(shape.B, 1)};
        cuda::launch(executor, kernel, {.grid = grid, .block = {32}}, device);
    }
};

} // namespace

extern const KernelStep decode_02_online_softmax{
    .idea = "one pass with a running softmax: no scores in memory",
    .claims = simple_claims(),
    .prepare = prepare_step<OnlineSoftmax>,
};

} // namespace headroom::cuda
