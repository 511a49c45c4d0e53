// Decode 03: the query heads of a group share every key and value row; rows arrive 16 bytes per lane.
//   changed    02 read K and V once per query head; here G heads' queries and outputs stay in registers, and a row is
//              multiplied with all of them. A row takes D/8 lanes, so a warp reads several rows at once
//   grid       (Hkv, L, B)        block  128: 4 warps, each with its own rows of every 16 … 128
//   reads      K and V once, in full sectors
//   limits     group_size <= 8, D = Dv a multiple of 8, <= 256; still one block per KV head and sequence. Merging the block's
//              rows has bank conflicts, once
#include "cuda/primitives/eight.h"
#include "cuda/primitives/kv_row.h"
#include "cuda/primitives/masked_score.h"
#include "cuda/primitives/softmax_state.h"
#include "cuda/step.h"
#include <bit>

namespace headroom::cuda {
namespace {

constexpr int warps = 4;

struct Params {
    DeviceProblem problem;
    int chunks; // lanes per row: a power of two, 8 * chunks >= D
};

// One lane's share of G heads: 8 features of query and output each.
template <int G> struct Heads {
    float q[G][8], output[G][8];
    SoftmaxState state[G];
};

template <class T, int G>
__device__ void attend_row(const DeviceProblem& p, int chunks, int b, int hkv, int i, int j, int group, Heads<G>& heads)
{
    const bool there = j < p.kv.length[b];
    const int chunk = static_cast<int>(threadIdx.x) % chunks, row = there ? j : 0;
    const Eight k = load_eight(kv_row<T>(p.kv, p.kv.k, b, hkv, row), chunk, chunks, p.D, there);
    const Eight v = load_eight(kv_row<T>(p.kv, p.kv.v, b, hkv, row), chunk, chunks, p.D, there);
#pragma unroll
    for (int g = 0; g < G; ++g) {
        float dot = 0;
        for (int e = 0; e < 8; ++e) dot += heads.q[g][e] * k.x[e];
        for (int step = chunks / 2; step; step >>= 1) dot += __shfl_xor_sync(~0u, dot, step);
        const float score = g < group ? masked_score(p, b, hkv * group + g, i, j, dot) : -INFINITY;
        const float max = fmaxf(heads.state[g].max, score);
        const float old = expf(heads.state[g].max - safe(max)), weight = expf(score - safe(max));
        for (int e = 0; e < 8; ++e) heads.output[g][e] = heads.output[g][e] * old + (weight != 0 ? weight * v.x[e] : 0);
        heads.state[g] = {max, heads.state[g].sum * old + weight};
    }
}

template <class T, int G> __device__ void group_vector(const Params& params)
{
    const DeviceProblem& p = params.problem;
    const int hkv = static_cast<int>(blockIdx.x), i = static_cast<int>(blockIdx.y), b = static_cast<int>(blockIdx.z);
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
    for (int j = 0; j < p.kv.length[b]; j += rows) attend_row<T, G>(p, chunks, b, hkv, i, j + r, group, heads);

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
        const float factor = add_sink(p, h, all) * inverse(all);
        row_of(p, p.output, b, h, i, p.D)[d] = output * factor;
        if (d == 0) *row_of(p, p.lse, b, h, i, 1) = log_sum_exp(all);
    }
}

#define GROUP_KERNELS(type, T)                                                                                         \
    KERNEL(decode_03_group_vector_##type##_g1, Params, 128, group_vector<T, 1>)                                        \
    KERNEL(decode_03_group_vector_##type##_g2, Params, 128, group_vector<T, 2>)                                        \
    KERNEL(decode_03_group_vector_##type##_g4, Params, 128, group_vector<T, 4>)                                        \
    KERNEL(decode_03_group_vector_##type##_g8, Params, 128, group_vector<T, 8>)
GROUP_KERNELS(f32, float)
GROUP_KERNELS(f16, __half)
GROUP_KERNELS(bf16, __nv_bfloat16)

#define OF_TYPE(g)                                                                                                     \
    for_type(type, decode_03_group_vector_f32_##g##_kernel, decode_03_group_vector_f16_##g##_kernel,                   \
             decode_03_group_vector_bf16_##g##_kernel)

class GroupVector : public StepRun {
public:
    GroupVector(Executor& on, const AttentionProblem& problem) : StepRun(on, problem) { refuse_unaligned_rows(); }
    void launch() override
    {
        const DType type = device.kv.k.type;
        const Index group = shape.group_size(), G = group <= 2 ? group : group <= 4 ? 4 : 8;
        const auto chunks = static_cast<int>(std::bit_ceil(static_cast<unsigned>(shape.D + 7) / 8));
        const auto kernel = G == 1 ? OF_TYPE(g1) : G == 2 ? OF_TYPE(g2) : G == 4 ? OF_TYPE(g4) : OF_TYPE(g8);
        const int rows = 32 * warps / chunks;
        const std::size_t shared = static_cast<std::size_t>(rows * G * (8 * chunks * 4 + 8));
        const Dim grid{blocks(shape.Hkv, 1), blocks(shape.L, 1), blocks(shape.B, 1)};
        cuda::launch(executor, kernel, {.grid = grid, .block = {128}, .dynamic_shared = shared},
                     Params{device, chunks});
    }
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

extern const KernelStep decode_03_group_vector{
    .idea = "a group's heads share each row; 16-byte loads",
    .claims = claims(),
    .prepare = prepare_step<GroupVector>,
};

} // namespace headroom::cuda
