// Decode 04: each sequence is cut into parts that different blocks walk; a second kernel merges their results.
//   changed    03 gave a sequence and KV head to one block, which leaves most of a GPU idle; here `splits` blocks take a
//              part each and leave (max, sum, output) unfinished, and combine merges them by their log-sum-exp
//   grid       (splits, Hkv, B*L), then (B*H*L)          block  128, then 128
//   reads      K and V once; then splits * (D + 2) floats per row of output
//   limits     as 03, bank conflicts too. Every split costs D + 2 floats written and read again for each row
#include "cuda/primitives/eight.h"
#include "cuda/primitives/kv_row.h"
#include "cuda/primitives/masked_score.h"
#include "cuda/primitives/softmax_state.h"
#include "cuda/step.h"
#include <algorithm>
#include <bit>

namespace headroom::cuda {
namespace {

constexpr int warps = 4;

struct Params {
    DeviceProblem problem;
    int chunks; // lanes per row: a power of two, 8 * chunks >= D
    int splits;
    float* partial_output;       // [splits, B, H, L, D], not yet divided by the sum
    SoftmaxState* partial_state; // [splits, B, H, L]
};

// One lane's share of G heads: 8 features of query and output each.
template <int G> struct Heads {
    float q[G][8], output[G][8];
    SoftmaxState state[G];
};

template <class T, int G>
__device__ void attend_row(const DeviceProblem& p, int chunks, int b, int hkv, int i, int j, int end, int group,
                           Heads<G>& heads)
{
    const bool there = j < end;
    const int chunk = static_cast<int>(threadIdx.x) % chunks, row = there ? j : 0;
    const Eight k = load_eight(kv_row<T>(p.kv, p.kv.k, b, hkv, row), chunk, chunks, p.D, there);
    const Eight v = load_eight(kv_row<T>(p.kv, p.kv.v, b, hkv, row), chunk, chunks, p.D, there);
#pragma unroll
    for (int g = 0; g < G; ++g) {
        float dot = 0;
        for (int e = 0; e < 8; ++e) dot += heads.q[g][e] * k.x[e];
        for (int step = chunks / 2; step; step >>= 1) dot += __shfl_xor_sync(~0u, dot, step);
        const float score = there && g < group ? masked_score(p, b, hkv * group + g, i, j, dot) : -INFINITY;
        const float max = fmaxf(heads.state[g].max, score);
        const float old = expf(heads.state[g].max - safe(max)), weight = expf(score - safe(max));
        for (int e = 0; e < 8; ++e) heads.output[g][e] = heads.output[g][e] * old + (weight != 0 ? weight * v.x[e] : 0);
        heads.state[g] = {max, heads.state[g].sum * old + weight};
    }
}

template <class T, int G> __device__ void walk_part(const Params& params)
{
    const DeviceProblem& p = params.problem;
    const int split = static_cast<int>(blockIdx.x), hkv = static_cast<int>(blockIdx.y);
    const int b = static_cast<int>(blockIdx.z) / p.L, i = static_cast<int>(blockIdx.z) % p.L;
    const int chunks = params.chunks, chunk = static_cast<int>(threadIdx.x) % chunks;
    const int rows = 32 * warps / chunks, r = static_cast<int>(threadIdx.x) / chunks, group = p.H / p.Hkv;

    // Each lane's features of the group's queries.
    Heads<G> heads{};
#pragma unroll
    for (int g = 0; g < G; ++g)
#pragma unroll
        for (int e = 0; e < 8; ++e) {
            const int d = feature<T>(chunk, chunks, e);
            if (g < group && d < p.D)
                heads.q[g][e] = row_of(p, static_cast<const float*>(p.q), b, hkv * group + g, i, p.D)[d];
        }
    const int length = static_cast<int>(p.kv.length[b]), part = (length + params.splits - 1) / params.splits;
    const int end = min(length, (split + 1) * part);
    for (int j = split * part; j < end; j += rows) attend_row<T, G>(p, chunks, b, hkv, i, j + r, end, group, heads);

    // What the block's rows gathered meets in shared memory: [rows][G][8 * chunks] and [rows][G] states.
    DYNAMIC_SHARED(float, outputs);
    const int width = 8 * chunks;
    SoftmaxState* states = reinterpret_cast<SoftmaxState*>(outputs + rows * G * width);
#pragma unroll
    for (int g = 0; g < G; ++g) {
#pragma unroll
        for (int e = 0; e < 8; ++e) outputs[(r * G + g) * width + feature<T>(chunk, chunks, e)] = heads.output[g][e];
        if (chunk == 0) states[r * G + g] = heads.state[g];
    }
    __syncthreads();
    for (int n = static_cast<int>(threadIdx.x); n < group * p.D; n += 32 * warps) {
        const int g = n / p.D, d = n % p.D, h = hkv * group + g;
        SoftmaxState all;
        for (int row = 0; row < rows; ++row) all.max = fmaxf(all.max, states[row * G + g].max);
        float output = 0;
        for (int row = 0; row < rows; ++row) {
            const float factor = expf(states[row * G + g].max - safe(all.max));
            all.sum += factor * states[row * G + g].sum;
            output += factor * outputs[(row * G + g) * width + d];
        }
        const Index at = Index{split} * p.B * p.H * p.L; // in rows
        row_of(p, params.partial_output + at * p.D, b, h, i, p.D)[d] = output;
        if (d == 0) *row_of(p, params.partial_state + at, b, h, i, 1) = all;
    }
}

// Merging is associative, and a part that saw no key weighs nothing. The sink enters here, once.
__device__ void combine(const Params& params)
{
    const DeviceProblem& p = params.problem;
    const Index row = blockIdx.x, rows = Index{p.B} * p.H * p.L;
    SoftmaxState all;
    for (int s = 0; s < params.splits; ++s) all.max = fmaxf(all.max, params.partial_state[s * rows + row].max);
    for (int s = 0; s < params.splits; ++s) {
        const SoftmaxState part = params.partial_state[s * rows + row];
        all.sum += part.sum * expf(part.max - safe(all.max));
    }
    const float max = all.max, factor = add_sink(p, static_cast<int>(row / p.L % p.H), all) * inverse(all);
    for (int d = static_cast<int>(threadIdx.x); d < p.D; d += 128) {
        float output = 0;
        for (int s = 0; s < params.splits; ++s)
            output += expf(params.partial_state[s * rows + row].max - safe(max)) *
                      params.partial_output[(s * rows + row) * p.D + d];
        p.output[row * p.D + d] = output * factor;
    }
    if (threadIdx.x == 0) p.lse[row] = log_sum_exp(all);
}

#define GROUP_KERNELS(type, T)                                                                                         \
    KERNEL(decode_04_split_combine_##type##_g1, Params, 128, walk_part<T, 1>)                                          \
    KERNEL(decode_04_split_combine_##type##_g2, Params, 128, walk_part<T, 2>)                                          \
    KERNEL(decode_04_split_combine_##type##_g4, Params, 128, walk_part<T, 4>)                                          \
    KERNEL(decode_04_split_combine_##type##_g8, Params, 128, walk_part<T, 8>)
GROUP_KERNELS(f32, float)
GROUP_KERNELS(f16, __half)
GROUP_KERNELS(bf16, __nv_bfloat16)
KERNEL(decode_04_split_combine_merge, Params, 128, combine)

#define OF_TYPE(g)                                                                                                     \
    for_type(type, decode_04_split_combine_f32_##g##_kernel, decode_04_split_combine_f16_##g##_kernel,                 \
             decode_04_split_combine_bf16_##g##_kernel)

constexpr Index keys_per_split = 64; // at least; a GPU wants some hundred blocks in all

class SplitCombine : public StepRun {
public:
    SplitCombine(Executor& on, const AttentionProblem& problem)
        : StepRun(on, problem), splits_(std::clamp<Index>(shape.S / keys_per_split, 1, 32)),
          partial_output_(on, static_cast<std::size_t>(splits_ * shape.D) * rows(), "partial_output"),
          partial_state_(on, static_cast<std::size_t>(splits_) * rows(), "partial_state")
    {
        refuse_unaligned_rows();
    }
    void launch() override
    {
        const DType type = device.kv.k.type;
        const Index group = shape.group_size(), G = group <= 2 ? group : group <= 4 ? 4 : 8;
        const auto chunks = static_cast<int>(std::bit_ceil(static_cast<unsigned>(shape.D + 7) / 8));
        const int rows_at_once = 32 * warps / chunks;
        const auto kernel = G == 1 ? OF_TYPE(g1) : G == 2 ? OF_TYPE(g2) : G == 4 ? OF_TYPE(g4) : OF_TYPE(g8);
        const std::size_t shared = static_cast<std::size_t>(rows_at_once * G * (8 * chunks * 4 + 8));
        const Params params{device, chunks, static_cast<int>(splits_), partial_output_.data(), partial_state_.data()};
        const Dim grid{blocks(splits_, 1), blocks(shape.Hkv, 1), blocks(shape.B * shape.L, 1)};
        cuda::launch(executor, kernel, {.grid = grid, .block = {128}, .dynamic_shared = shared}, params);
        cuda::launch(executor, decode_04_split_combine_merge_kernel,
                     {.grid = {blocks(shape.B * shape.H * shape.L, 1)}, .block = {128}}, params);
    }
    PartialResults parts() override
    {
        const auto keys_of = [&](Index b, Index split) {
            const Index length = lengths[static_cast<std::size_t>(b)], part = (length + splits_ - 1) / splits_;
            return Keys{std::min(length, split * part), std::min(length, (split + 1) * part)};
        };
        return split_parts(shape, splits_, partial_output_, partial_state_, keys_of, true);
    }

private:
    Index splits_;
    Buffer<float> partial_output_;
    Buffer<SoftmaxState> partial_state_;
};

Claims claims()
{
    Claims c = simple_claims();
    for (Index D = 8; D <= 256; D += 8) c.head_dims.push_back(D);
    c.largest_group = 8;
    c.value_dim_differs = false;
    return c;
}

} // namespace

extern const KernelStep decode_04_split_combine{
    .idea = "split keys over blocks, merge by log-sum-exp",
    .claims = claims(),
    .prepare = prepare_step<SplitCombine>,
};

} // namespace headroom::cuda
