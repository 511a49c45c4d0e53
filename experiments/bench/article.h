// The table of the article that this project grew from, measured here: width 1024, 16 heads, 1024 tokens, batch 8, one
// attention layer in f32; MHA and GQA with 4 KV heads, with and without a cache; prefill apart from decode.
#pragma once
#include "experiments/bench/attention_layer.h"
#include "experiments/bench/bench.h"

namespace headroom {

struct ArticleRow {
    std::string name;  // "GQA(4) + cache"
    std::string phase; // "prefill", "decode"
    BenchRow row;
    MemorySplit measured, calculated; // of one layer
    double tokens_per_second;         // prefill: B L tokens taken in; decode: B tokens made; per second
    bool cached;
};
struct ArticleSettings {
    LayerShape shape; // kv_heads as the row says
    int threads = 0;
    Alternation alternation = {.rounds = 3, .block_ms = 100, .launches = 1, .warm_up = 1};
    Alternation steps = {.rounds = 8, .block_ms = 60}; // of a decode with a cache
    bool in_cache = false; // two layers in turns, and not as many as the last-level cache cannot hold
    std::function<void(const std::string& what)> progress = [](const std::string&) {};
};
std::vector<ArticleRow> article(const ArticleSettings& settings);

// n layers: weights and cache n times, activations and scores once, for they are given back before the next layer.
MemorySplit of_layers(const MemorySplit& one, Index layers);

} // namespace headroom
