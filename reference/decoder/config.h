// The sizes of a Llama-style decoder. Query head h reads KV head h / (q_heads / kv_heads).
#pragma once
#include "reference/kv_cache/kv_cache.h"

namespace headroom {

struct DecoderConfig {
    Index width = 0; // E, of the residual stream
    Index layers = 0;
    Index q_heads = 0;  // H
    Index kv_heads = 0; // Hkv: H is MHA, 1 is MQA, between them GQA
    Index head_dim = 0; // D
    Index hidden = 0;   // of the feed-forward network
    Index vocabulary = 0;
    Index max_length = 0; // longest context
    double rope_base = 10000, norm_epsilon = 1e-5;

    bool operator==(const DecoderConfig&) const = default;
};

// Throws std::invalid_argument that names the size and the rule: all positive and below 2^31, H a multiple of Hkv,
// D even (RoPE turns pairs).
void check(const DecoderConfig& config);

KvGeometry cache_geometry(const DecoderConfig& config, Index sequences, DType type);
Index parameters(const DecoderConfig& config, bool shared_classifier); // how many numbers the model has
std::string sharing(const DecoderConfig& config);                      // "MHA", "GQA", "MQA"

} // namespace headroom
