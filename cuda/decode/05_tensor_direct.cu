// Decode 05: tensor cores, with the group's query heads as the columns of a product, and no shared memory in the loop.
//   changed    04 multiplied each row with G queries on CUDA cores and ran out of instructions from G = 4 on; here one
//              mma does it for 16 tokens and 8 query rows. K and V go from global memory straight into its registers:
//              the order of features inside a product is free if both operands agree, so each lane loads 16 bytes
//   grid       (splits, Hkv, B), then (B*H*L)      block  128: 4 warps, 16 tokens each at a time; then 128
//   reads      K and V once
//   limits     L * group_size <= 8, D = Dv 64 or 128, f16 or bf16; at most 8 KB per warp are under way at a time. The
//              order of features costs bank conflicts where the warps merge, once
#include "cuda/primitives/combine.h"
#include "cuda/primitives/merge_warps.h"
#include "cuda/step.h"
#include <algorithm>

namespace headroom::cuda {
namespace {

constexpr int warps = 4, tile = 16 * warps;

struct Params {
    DeviceProblem problem;
    Parts parts;
};

template <class F, int D> __device__ void tensor_direct(const Params& params)
{
    constexpr int k_chunks = D / 32, v_chunks = D / 64; // 16-byte chunks of a row of K, of V, per lane
    const DeviceProblem& p = params.problem;
    const int split = static_cast<int>(blockIdx.x), hkv = static_cast<int>(blockIdx.y),
              b = static_cast<int>(blockIdx.z);
    const int lane = static_cast<int>(threadIdx.x) % 32, g = lane / 4, t = lane % 4;
    const int length = static_cast<int>(p.kv.length[b]), tiles = (length + tile - 1) / tile;
    const int per_split = (tiles + params.parts.splits - 1) / params.parts.splits;
    const int from = split * per_split, to = min(tiles, from + per_split);

    // Rows g and g + 8 of K: chunk t + 4j. Registers 0 … 3 of a chunk serve the steps 2j and 2j + 1.
    uint4 K[2][k_chunks], V[4][v_chunks];
    const auto first_token = [&](int n) { return n * tile + static_cast<int>(threadIdx.x) / 32 * 16; };
    const auto load_k = [&](int n) {
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            const int j = first_token(n) + g + 8 * r;
            const bool there = n < to && j < length;
            const std::byte* row = kv_row<std::byte>(p.kv, p.kv.k, b, hkv, there ? j : 0);
#pragma unroll
            for (int c = 0; c < k_chunks; ++c) K[r][c] = ldg_stream_if(row + 16 * (t + 4 * c), there);
        }
    };
    // Tokens 2t, 2t + 1, 2t + 8, 2t + 9 of V: chunk g + 8j. Zeros behind the end, for 0 * NaN is NaN.
    const auto load_v = [&](int n) {
#pragma unroll
        for (int r = 0; r < 4; ++r) {
            const int j = first_token(n) + 2 * t + (r & 1) + 8 * (r >> 1);
            const bool there = n < to && j < length;
            const std::byte* row = kv_row<std::byte>(p.kv, p.kv.v, b, hkv, there ? j : 0);
#pragma unroll
            for (int c = 0; c < v_chunks; ++c) V[r][c] = ldg_stream_if(row + 16 * (g + 8 * c), there);
        }
    };

    SwappedAttention<F, F, D, 1> a;
    a.start(
        p, b, hkv, [&](int k) { return 8 * (t + 4 * (k / 2)) + 4 * (k % 2); }, 2);
    load_k(from), load_v(from);
    for (int n = from; n < to; ++n) {
        float scores[1][4] = {};
        std::uint32_t weights[1][2];
#pragma unroll
        for (int c = 0; c < k_chunks; ++c) {
            mma_16816<F>(scores[0], {K[0][c].x, K[1][c].x, K[0][c].y, K[1][c].y}, a.q[0][2 * c]);
            mma_16816<F>(scores[0], {K[0][c].z, K[1][c].z, K[0][c].w, K[1][c].w}, a.q[0][2 * c + 1]);
        }
        load_k(n + 1); // its registers are free: the next tile goes out now
        a.softmax(p, first_token(n), scores, weights);
#pragma unroll
        for (int c = 0; c < v_chunks; ++c) {
            const std::uint32_t v[4][4] = {{V[0][c].x, V[0][c].y, V[0][c].z, V[0][c].w},
                                           {V[1][c].x, V[1][c].y, V[1][c].z, V[1][c].w},
                                           {V[2][c].x, V[2][c].y, V[2][c].z, V[2][c].w},
                                           {V[3][c].x, V[3][c].y, V[3][c].z, V[3][c].w}};
#pragma unroll
            for (int i = 0; i < 4; ++i) // V^T: two tokens' numbers of one feature in one register
                mma_16816<F>(a.output[0][4 * c + i],
                             {prmt(v[0][i], v[1][i], 0x5410), prmt(v[0][i], v[1][i], 0x7632),
                              prmt(v[2][i], v[3][i], 0x5410), prmt(v[2][i], v[3][i], 0x7632)},
                             weights[0]);
        }
        load_v(n + 1);
    }

    DYNAMIC_SHARED(float, shared);
    merge_warps<D, warps, 1>(
        a, shared, p.L * (p.H / p.Hkv), [&](int k, int high) { return 64 * (k / 4) + 8 * g + 2 * (k % 4) + high; },
        [] { __syncthreads(); },
        [&](int c, int d, float4 output, SoftmaxState s) {
            write_part(p, params.parts, split, b, hkv, c, d, output, s);
        });
}

__device__ void combine(const Params& params) { combine_parts(params.problem, params.parts); }

} // namespace

KERNEL(decode_05_tensor_direct_f16_d64, Params, BOUNDS(128, 3), tensor_direct<F16, 64>)
KERNEL(decode_05_tensor_direct_f16_d128, Params, BOUNDS(128, 3), tensor_direct<F16, 128>)
KERNEL(decode_05_tensor_direct_bf16_d64, Params, BOUNDS(128, 3), tensor_direct<BF16, 64>)
KERNEL(decode_05_tensor_direct_bf16_d128, Params, BOUNDS(128, 3), tensor_direct<BF16, 128>)
KERNEL(decode_05_tensor_direct_combine, Params, 128, combine)

namespace {

class TensorDirect : public SplitRun {
public:
    TensorDirect(Executor& on, const AttentionProblem& problem) : SplitRun(on, problem, tile)
    {
        refuse_if(query_rows() > 8, "more than 8 query rows share a KV head");
    }
    void launch() override
    {
        const bool f16 = device.kv.k.type == DType::f16, d64 = shape.D == 64;
        const auto kernel =
            f16 ? (d64 ? decode_05_tensor_direct_f16_d64_kernel : decode_05_tensor_direct_f16_d128_kernel)
                : (d64 ? decode_05_tensor_direct_bf16_d64_kernel : decode_05_tensor_direct_bf16_d128_kernel);
        const std::size_t shared = d64 ? merge_bytes<64, warps, 1> : merge_bytes<128, warps, 1>;
        launch_split(kernel, decode_05_tensor_direct_combine_kernel, 32 * warps, shared, Params{device, places()});
    }
};

} // namespace

extern const KernelStep decode_05_tensor_direct{
    .idea = "tensor cores: heads are columns; K and V straight into registers",
    .claims = tensor_claims(),
    .prepare = prepare_step<TensorDirect>,
};

} // namespace headroom::cuda
