// A long text through caches that keep all of it, its end, or its end and its beginning; then chats that begin alike.
#include "reference/attention/attention.h"
#include "reference/kv_cache/paged.h"
#include "reference/tensor/random.h"
#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <numeric>

using namespace headroom;

constexpr Index Hkv = 2, D = 16, window = 128;
const KvGeometry one{.kv_heads = Hkv, .head_dim = D, .value_dim = D, .type = DType::f16};

struct Text {
    Tensor q, k, v; // [1, H, 1, D] the newest token's query, [1, Hkv, S, D]
};

// Trained models give much weight to the first tokens, whatever these say: all queries like their keys a little.
Text text_with_sinks(Index tokens)
{
    Random random(14);
    Text text{random_normal({1, Hkv, 1, D}, random), random_normal({1, Hkv, tokens, D}, random),
              random_normal({1, Hkv, tokens, D}, random)};
    for (Index h = 0; h < Hkv; ++h) {
        text.q(0, h, 0, 0) = 6;                                    // what all queries have in common,
        for (Index j = 0; j < 4; ++j) text.k(0, h, j, 0) = 6;      // the first four keys answer,
        for (Index j = 4; j < tokens; ++j) text.k(0, h, j, 0) = 0; // and no other
    }
    return text;
}

struct Kept {
    Index bytes;
    AttentionStages stages;
};
Kept keep(const char* kind, const Text& text, const CacheOptions& options)
{
    const auto cache = cache_kind(kind).make(one, options);
    cache->append(text.k, text.v);
    const AttentionOptions seen{.window = options.window, .sinks = options.sinks};
    return {cache->counters().reserved, attention({.q = view(text.q), .kv = cache->view(0), .options = seen})};
}

double percent_off(const Tensor& found, const Tensor& wanted)
{
    double error = 0, size = 0;
    for (std::size_t i = 0; i < wanted.values().size(); ++i) {
        error += std::pow(found.values()[i] - wanted.values()[i], 2);
        size += std::pow(wanted.values()[i], 2);
    }
    return 100 * std::sqrt(error / size);
}

void append(PagedCache& cache, const std::vector<Index>& new_tokens) // random ones; [B]
{
    Random random(15);
    const Index longest = *std::max_element(new_tokens.begin(), new_tokens.end());
    const Tensor rows = random_normal({Index(new_tokens.size()), Hkv, longest, D}, random);
    cache.begin_step(new_tokens);
    cache.write(0, rows, rows);
    cache.end_step();
}

int main()
{
    for (const Index tokens : {1000, 4000}) {
        const Text text = text_with_sinks(tokens);
        const Kept all = keep("preallocated", text, {.max_length = tokens}),
                   end = keep("ring", text, {.window = window}),
                   both = keep("ring", text, {.window = window, .sinks = 4});
        const std::span<const double> weights = all.stages.weights.row(0, 0, 0);
        fmt::print("{} tokens: all              {:6} bytes, {:2.0f} % of head 0's weight on the first four\n", tokens,
                   all.bytes, 100 * std::accumulate(weights.begin(), weights.begin() + 4, 0.0));
        fmt::print("{} tokens: window alone     {:6} bytes, output off by {:5.1f} %\n", tokens, end.bytes,
                   percent_off(end.stages.output, all.stages.output));
        fmt::print("{} tokens: window and sinks {:6} bytes, output off by {:5.1f} %\n", tokens, both.bytes,
                   percent_off(both.stages.output, all.stages.output));
    }

    // Eight chats with the same 1000 tokens in front, in blocks of 16; then each goes on for 24 tokens of its own.
    KvGeometry eight = one;
    eight.sequences = 8;
    PagedCache cache(eight, {.max_length = 1024, .block = 16});
    std::vector<std::int32_t> prompt(1000);
    std::iota(prompt.begin(), prompt.end(), 0);
    append(cache, {1000, 0, 0, 0, 0, 0, 0, 0});
    cache.publish(0, prompt);
    Index found = 0;
    for (Index b = 1; b < 8; ++b) found = cache.adopt_prefix(b, prompt);
    fmt::print("\na chat finds {} of 1000 tokens and computes {}\n", found, 1000 - found);
    append(cache, {24, 32, 32, 32, 32, 32, 32, 32});
    const PageCounters pages = cache.pages();
    const Index token_bytes = 2 * Hkv * D * 2; // K and V, two bytes each
    fmt::print("8 chats of 1024 tokens: blocks used {}, shared {}\n", pages.blocks - pages.free_blocks,
               pages.shared_blocks);
    fmt::print("together they take {} bytes, alone {}\n", cache.counters().live, 8 * 1024 * token_bytes);
}
