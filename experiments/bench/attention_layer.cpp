#include "experiments/bench/attention_layer.h"

#include "reference/parallel/block_attention.h"
#include "reference/parallel/instruction_sets.h"
#include "reference/parallel/linear.h"
#include "reference/parallel/thread_pool.h"
#include "reference/parallel/work_split.h"
#include "reference/tensor/random.h"
#include <algorithm>
#include <cmath>

namespace headroom {
namespace {

using parallel::FloatBuffer;

constexpr Index float_bytes = sizeof(float);

std::span<float> numbers(const FloatBuffer& buffer, Index count)
{
    return {buffer.data(), static_cast<std::size_t>(count)};
}

StoredView matrix(const float* from, Index rows, Index columns)
{
    return dense_view(reinterpret_cast<const std::byte*>(from), {rows, columns}, DType::f32);
}

// Rows of heads side by side, as projections leave them, seen as [B, heads, tokens, D].
StoredView heads_of(const float* rows, Index sequences, Index heads, Index tokens, Index head_dim)
{
    StoredView v =
        dense_view(reinterpret_cast<const std::byte*>(rows), {sequences, heads, tokens, head_dim}, DType::f32);
    const Index token = heads * head_dim * float_bytes;
    v.byte_stride[0] = tokens * token;
    v.byte_stride[1] = head_dim * float_bytes;
    v.byte_stride[2] = token;
    return v;
}

} // namespace

AttentionLayer::AttentionLayer(const LayerShape& shape, bool with_cache, ScoreMemory scores, int threads)
    : shape_(shape), with_cache_(with_cache), score_memory_(scores), threads_(threads)
{
    const Index E = shape.width, rows = 2 * E + 2 * shape.kv_width(); // of q_proj, k_proj, v_proj, o_proj
    weights_ = FloatBuffer(rows * E, &weights_memory_);
    input_ = FloatBuffer(shape.sequences * shape.tokens * E, &activations_memory_);
    Random random(1);
    for (float& w : numbers(weights_, rows * E)) w = static_cast<float>(random.uniform(-0.03, 0.03));
    for (float& x : numbers(input_, shape.sequences * shape.tokens * E)) x = static_cast<float>(random.uniform(-1, 1));
    if (!with_cache) return;
    const Index kept = shape.sequences * shape.tokens * shape.kv_width();
    keys_ = FloatBuffer(kept, &cache_memory_);
    values_ = FloatBuffer(kept, &cache_memory_);
}

void AttentionLayer::prefill() { run(0, shape_.tokens); }

void AttentionLayer::decode_step()
{
    if (with_cache_)
        run(shape_.tokens - 1, 1);
    else
        run(0, shape_.tokens);
}

void AttentionLayer::run(Index first, Index count)
{
    const Index B = shape_.sequences, E = shape_.width, D = shape_.head_dim(), width = shape_.kv_width();
    const Index T = B * count, in_cache = shape_.tokens;
    const float* const w = weights_.data();

    output_ = FloatBuffer(); // the last call's

    // The tokens' rows, then q, k and v.
    const bool all = count == shape_.tokens;
    const FloatBuffer chosen(all ? 0 : T * E, &activations_memory_);
    for (Index b = 0; b < B && !all; ++b)
        std::copy_n(input_.data() + (b * shape_.tokens + first) * E, count * E, chosen.data() + b * count * E);
    const std::span<const float> x = numbers(all ? input_ : chosen, T * E);
    const FloatBuffer q(T * E, &activations_memory_), k(T * width, &activations_memory_),
        v(T * width, &activations_memory_);
    parallel_linear(x, matrix(w, E, E), numbers(q, T * E), options());
    parallel_linear(x, matrix(w + E * E, width, E), numbers(k, T * width), options());
    parallel_linear(x, matrix(w + (E + width) * E, width, E), numbers(v, T * width), options());

    // The new tokens' keys and values join the others, head by head, as in every cache of this project.
    for (Index b = 0; b < B && with_cache_; ++b)
        for (Index h = 0; h < shape_.kv_heads; ++h)
            for (Index i = 0; i < count; ++i) {
                const Index from = (b * count + i) * width + h * D,
                            to = ((b * shape_.kv_heads + h) * in_cache + first + i) * D;
                std::copy_n(k.data() + from, D, keys_.data() + to);
                std::copy_n(v.data() + from, D, values_.data() + to);
            }
    const Index length = with_cache_ ? first + count : count;
    const std::vector<Index> lengths(static_cast<std::size_t>(B), length);
    AttentionProblem problem{.q = heads_of(q.data(), B, shape_.q_heads, count, D), .kv = {}, .options = {}};
    const auto cached = [&](const FloatBuffer& heads) {
        return dense_view(reinterpret_cast<const std::byte*>(heads.data()), {B, shape_.kv_heads, in_cache, D},
                          DType::f32);
    };
    problem.kv.k = with_cache_ ? cached(keys_) : heads_of(k.data(), B, shape_.kv_heads, count, D);
    problem.kv.v = with_cache_ ? cached(values_) : heads_of(v.data(), B, shape_.kv_heads, count, D);
    problem.kv.sequences = B;
    problem.kv.length = lengths.data();

    // Attention, heads side by side again, output projection.
    const FloatBuffer merged(T * E, &activations_memory_);
    const auto merge = [&](const float* heads) { // [B, H, L, D] -> [B, L, H D]
        for (Index b = 0; b < B; ++b)
            for (Index h = 0; h < shape_.q_heads; ++h)
                for (Index i = 0; i < count; ++i)
                    std::copy_n(heads + ((b * shape_.q_heads + h) * count + i) * D, D,
                                merged.data() + (b * count + i) * E + h * D);
    };
    if (score_memory_ == ScoreMemory::whole) {
        const FloatBuffer heads(T * E, &activations_memory_);
        attend_whole(problem, heads.data());
        merge(heads.data());
    } else {
        const auto attention = prepare_parallel(problem, options(), {&activations_memory_, &scores_memory_});
        attention->launch();
        merge(attention->output().data());
    }
    output_ = FloatBuffer(T * E, &activations_memory_);
    output_size_ = static_cast<std::size_t>(T * E);
    parallel_linear(numbers(merged, T * E), matrix(w + (E + 2 * width) * E, E, E), numbers(output_, T * E), options());
}

// As a textbook's listing does it: all scores, all weights in their place, then the product with the values.
void AttentionLayer::attend_whole(const AttentionProblem& p, float* heads)
{
    const Index B = shape_.sequences, H = shape_.q_heads, D = shape_.head_dim(), L = p.q.extent[2], S = p.kv.length[0];
    const FloatBuffer scores(B * H * L * S, &scores_memory_), copies((L + 2 * S) * D, &activations_memory_);
    float *const Q = copies.data(), *const K = Q + L * D, *const V = K + S * D; // V: [D, S]
    const auto scale = static_cast<float>(1 / std::sqrt(static_cast<double>(D)));
    const auto at = [](const StoredView& v, Index b, Index h, Index i) {
        return reinterpret_cast<const float*>(v.data + byte_offset(v, b, h, i));
    };
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < H; ++h) {
            const Index hkv = h / (H / shape_.kv_heads);
            float* const weights = scores.data() + (b * H + h) * L * S; // [L, S]
            for (Index i = 0; i < L; ++i) std::copy_n(at(p.q, b, h, i), D, Q + i * D);
            for (Index j = 0; j < S; ++j) {
                std::copy_n(at(p.kv.k, b, hkv, j), D, K + j * D);
                for (Index d = 0; d < D; ++d) V[d * S + j] = at(p.kv.v, b, hkv, j)[d];
            }
            parallel_linear({Q, static_cast<std::size_t>(L * D)}, matrix(K, S, D),
                            {weights, static_cast<std::size_t>(L * S)}, options());
            for (Index i = 0; i < L; ++i) {
                float* const row = weights + i * S;
                const Index seen = S - L + i + 1;
                const float most = scale * *std::max_element(row, row + seen);
                float sum = 0;
                for (Index j = 0; j < seen; ++j) sum += row[j] = std::exp(scale * row[j] - most);
                for (Index j = 0; j < S; ++j) row[j] = j < seen ? row[j] / sum : 0;
            }
            parallel_linear({weights, static_cast<std::size_t>(L * S)}, matrix(V, D, S),
                            {heads + (b * H + h) * L * D, static_cast<std::size_t>(L * D)}, options());
        }
}

MemorySplit AttentionLayer::measured() const
{
    return {weights_memory_.peak, activations_memory_.peak, scores_memory_.peak, cache_memory_.peak};
}

MemorySplit AttentionLayer::calculated(bool prefilled) const
{
    const Index E = shape_.width, width = shape_.kv_width(), all = shape_.sequences * shape_.tokens;
    const Index T = prefilled || !with_cache_ ? all : shape_.sequences, L = T / shape_.sequences;
    MemorySplit m;
    m.weights = (2 * E + 2 * width) * E * float_bytes;
    // The input of all tokens; and of the new ones their rows, q, k, v, attention's output, and then twice the same width:
    // heads side by side, and the layer's output in the place of attention's own.
    m.activations = (all * E + (L < shape_.tokens ? T * E : 0) + 3 * T * E + 2 * T * width) * float_bytes;
    if (score_memory_ == ScoreMemory::whole) {
        m.scores = T * shape_.q_heads * shape_.tokens * float_bytes;
        m.activations += (L + 2 * shape_.tokens) * shape_.head_dim() * float_bytes; // of one head, while it is at work
    } else {
        m.activations += 3 * T * shape_.q_heads * float_bytes; // row_max, row_sum, lse
        m.scores = tile_bytes(L);
    }
    if (with_cache_) m.cache = 2 * all * width * float_bytes;
    return m;
}

// A thread's rows of queries and of the softmax's state, a tile of scores, and a tile of keys, values and, if there are many
// rows, of turned keys; all of it in whole vectors, and in whole cache lines. Where threads share one head's keys, a few KiB
// of states to be merged come on top.
Index AttentionLayer::tile_bytes(Index L) const
{
    const Index lanes = parallel::kernels().lanes;
    const auto whole = [lanes](Index n) { return parallel::rounded_up(n, lanes); };
    const Index group = shape_.q_heads / shape_.kv_heads, D = whole(shape_.head_dim()), tile = parallel::tile_keys;
    const Index rows = std::min(L, std::max<Index>(1, parallel::rows_of_a_block / group)) * group;
    const Index multiply_adds =
        2 * shape_.sequences * L * shape_.tokens * shape_.q_heads * shape_.head_dim(); // at most
    const bool alone = multiply_adds < parallel::worth_a_thread;
    const Index threads = alone ? 1 : parallel::thread_pool(threads_).threads();
    const Index scratch = rows <= parallel::few_rows
                              ? rows * (D + tile) + std::min(tile, whole(shape_.tokens)) * 2 * D
                              : whole(rows) * D + tile * (std::min(whole(rows), parallel::rows_at_once) + 3 * D);
    const Index states = rows * (D + 2);
    return threads * (parallel::whole_lines(states) + parallel::whole_lines(scratch)) * float_bytes;
}

Index AttentionLayer::decode_bytes() const
{
    Index bytes = 0;
    for (const auto& piece : read_by_decode()) bytes += static_cast<Index>(piece.size());
    return bytes;
}

std::vector<std::span<const std::byte>> AttentionLayer::read_by_decode() const
{
    const Index E = shape_.width, kept = shape_.sequences * shape_.tokens * shape_.kv_width();
    const auto bytes = [](const FloatBuffer& b, Index count) { return std::as_bytes(numbers(b, count)); };
    std::vector<std::span<const std::byte>> pieces{bytes(weights_, (2 * E + 2 * shape_.kv_width()) * E)};
    if (with_cache_) pieces.insert(pieces.end(), {bytes(keys_, kept), bytes(values_, kept)});
    return pieces;
}

Index AttentionLayer::flops(bool prefill) const
{
    const Index E = shape_.width, n = shape_.tokens, B = shape_.sequences;
    const bool all = prefill || !with_cache_;
    const Index T = all ? B * n : B, pairs = all ? B * n * (n + 1) / 2 : B * n;
    return 2 * T * E * (2 * E + 2 * shape_.kv_width()) + 4 * pairs * E;
}

} // namespace headroom
