// Grouped-query attention with its cache, as one module (Ainslie et al. 2023): what a decoder layer does with a token
// before the feed-forward network.
//
//     q = rope(x Wq)   k = rope(x Wk)   v = x Wv          H, Hkv and Hkv heads of D
//     the new k and v join those of earlier tokens; Hkv heads are stored, never H
//     output = attention(q, all k, all v) Wo              query head h reads KV head h / (H / Hkv)
#pragma once
#include "reference/attention/rope.h"
#include "reference/decoder/backend.h"
#include "reference/decoder/config.h"
#include "reference/decoder/kv_memory.h"
#include "reference/decoder/token_batch.h"

namespace headroom {

struct AttentionWeights {
    StoredTensor q_proj; // [H D, E]
    StoredTensor k_proj; // [Hkv D, E]
    StoredTensor v_proj; // [Hkv D, E]
    StoredTensor o_proj; // [E, H D]
};

// x [T, E] -> [T, E]. The weights say how many heads there are; `memory` has begun a pass with the batch's tokens.
Tensor grouped_query_attention(const Tensor& x, const TokenBatch& batch, const AttentionWeights& weights,
                               const DecoderConfig& config, const RopeTable& table, Index layer, KvMemory& memory,
                               const Backend& backend);

} // namespace headroom
