// Sixty-four tokens, one after the other: everything read again at each step, or keys and values kept.
#include "reference/decoder/backend.h"
#include "reference/kv_cache/kv_cache.h"
#include "reference/tensor/random.h"
#include <algorithm>
#include <fmt/core.h>

using namespace headroom;
constexpr Index E = 16, H = 4, D = 4, tokens = 64;

struct Layer {
    StoredTensor q_proj, k_proj, v_proj; // [H D, E], [Hkv D, E], [Hkv D, E]
};
Layer random_layer(Index Hkv)
{
    Random random(3);
    const auto matrix = [&](Index heads) { return store(random_uniform({heads * D, E}, random, -1, 1), DType::f32); };
    return {matrix(H), matrix(Hkv), matrix(Hkv)};
}
// Tokens from … to - 1 through a matrix, cut into heads: [1, heads, to - from, D]
Tensor project_heads(const Tensor& x, Index from, Index to, const StoredTensor& matrix, const Backend& backend)
{
    const Index heads = matrix.shape()[0] / D;
    Tensor all({1, heads, to - from, D});
    for (Index i = from; i < to; ++i) {
        const Tensor token({1, E}, {x.row(i).begin(), x.row(i).end()});
        Tensor row({1, heads * D});
        backend.linear(token, matrix.view(), row);
        for (Index h = 0; h < heads; ++h)
            for (Index d = 0; d < D; ++d) all(0, h, i - from, d) = row(0, h * D + d);
    }
    return all;
}

std::string keys_in(const KvCache& cache) // their shape, as they lie in memory
{
    const KvView kv = cache.view(0);
    return to_text(Shape(kv.k.extent, kv.k.extent + 4));
}

struct Read {
    Tensor output;                   // [1, H, to - from, D]
    std::string past, added, result; // shapes of the keys
};

// Queries, keys and values of tokens from … to - 1; attention to these and to whatever the cache held before.
Read read(const Tensor& x, Index from, Index to, const Layer& layer, KvCache& cache, const Backend& backend)
{
    const Tensor q = project_heads(x, from, to, layer.q_proj, backend); // [1, H, to - from, D]
    const Tensor k = project_heads(x, from, to, layer.k_proj, backend); // [1, Hkv, to - from, D]
    const Tensor v = project_heads(x, from, to, layer.v_proj, backend); // [1, Hkv, to - from, D]
    const std::string past = keys_in(cache);
    cache.append(k, v);
    const AttentionStages stages = backend.attention({.q = view(q), .kv = cache.view(0), .options = {}});
    return {stages.output, past, to_text(k.shape()), keys_in(cache)};
}

std::unique_ptr<KvCache> new_cache(Index Hkv)
{
    return cache_kind("concat").make({.kv_heads = Hkv, .head_dim = D, .value_dim = D, .type = DType::f64}, {});
}

int main()
{
    // The same numbers? And how many multiply-adds, counted where they happen?
    Random random(7);
    const Tensor x = random_uniform({tokens, E}, random, -1, 1);
    Work all, one;
    const Backend reading_all = counted(reference_backend(), all), reading_one = counted(reference_backend(), one);
    const Layer layer = random_layer(H);
    const auto cache = new_cache(H);
    Tensor before;                    // all rows of the step before
    Index changed = 0, different = 0; // rows
    for (Index N = 1; N <= tokens; ++N) {
        const Index all_until = all.total(), one_until = one.total();
        const Tensor rows = read(x, 0, N, layer, *new_cache(H), reading_all).output;
        const Tensor newest = read(x, N - 1, N, layer, *cache, reading_one).output;
        for (Index h = 0; h < H; ++h) {
            different += !std::ranges::equal(newest.row(0, h, 0), rows.row(0, h, N - 1));
            for (Index i = 0; i < N - 1; ++i) changed += !std::ranges::equal(before.row(0, h, i), rows.row(0, h, i));
        }
        before = rows;
        if (N == 1 || N == 8 || N == tokens)
            fmt::print("step {:2}   read all {:7}   read one {:5}\n", N, all.total() - all_until,
                       one.total() - one_until);
    }
    fmt::print("together  read all {:7}   read one {:5}\n", all.total(), one.total());
    fmt::print("rows of old tokens that a new token changed: {}\n", changed);
    fmt::print("rows that differ between the two ways: {}\n\n", different);

    // Step 4 with a KV head for each query head (MHA), for two of them (GQA), for all of them (MQA).
    fmt::print("step 4     past           new            result\n");
    for (const Index Hkv : {H, H / 2, Index{1}}) {
        const Layer sharing = random_layer(Hkv);
        const auto small = new_cache(Hkv);
        read(x, 0, 3, sharing, *small, reference_backend());
        const Read step = read(x, 3, 4, sharing, *small, reference_backend());
        fmt::print("Hkv = {}    {}   {}   {}\n", Hkv, step.past, step.added, step.result);
    }
}
