// Multi-head latent attention on a real cache: both computations on the same rows, and its bytes beside other caches'.
#pragma once
#include "reference/decoder/latent_attention.h"
#include <string>

namespace headroom {

struct LatentSettings { // the attention of DeepSeek-V2-Lite (config.json of its authors)
    LatentGeometry geometry = {
        .width = 2048, .q_heads = 16, .kv_rank = 512, .nope_dim = 128, .rope_dim = 64, .value_dim = 128};
    Index layers = 27; // for the bytes
    Index prefill = 12, steps = 4;
    Index gqa_kv_heads = 4; // of the grouped-query cache beside it
    std::string kind = "growing";
    DType type = DType::bf16;
    std::uint64_t seed = 1;
};

struct CacheSize {
    std::string name, stores;
    Index kv_heads, k_dim, v_dim; // v_dim 0: values lie in the keys
    Index live_bytes;             // counted by a cache of all layers that holds the run's tokens
    Index bytes_per_token;        // live_bytes / tokens
};

struct LatentRun {
    Index tokens;
    double largest_output = 0, max_difference = 0; // |expanded - absorbed|, over all steps
    std::vector<CacheSize> sizes;                  // latent, expanded, MHA, GQA, MQA
};
LatentRun run_latent(const LatentSettings& settings);

} // namespace headroom
