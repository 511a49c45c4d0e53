// A Llama-style decoder: tokens in, a vector of logits over the vocabulary out. Any attention can drive it.
//
//     x = embedding[token]
//     per layer:  x += grouped_query_attention(rms_norm(x))      x += feed_forward(rms_norm(x))
//     logits = classifier rms_norm(x)
#pragma once
#include "reference/decoder/feed_forward.h"
#include "reference/decoder/grouped_query_attention.h"

namespace headroom {

struct LayerWeights {
    StoredTensor attention_norm; // [E]
    AttentionWeights attention;
    StoredTensor ffn_norm; // [E]
    FeedForwardWeights ffn;
};
struct Decoder { // all weights are f32
    DecoderConfig config;
    StoredTensor embedding; // [vocabulary, E]
    std::vector<LayerWeights> layers;
    StoredTensor final_norm; // [E]
    StoredTensor classifier; // [vocabulary, E]; empty: the embedding serves
};

// Prefill and decode alike: takes in each sequence's new tokens and returns their hidden states [T, E], normalised,
// packed as in token_batch.h. When it throws, `memory` holds what it held before.
Tensor forward(const Decoder& model, const TokenBatch& batch, KvMemory& memory, const Backend& backend);

std::vector<double> logits(const Decoder& model, std::span<const double> hidden, const Backend& backend);

} // namespace headroom
