// Multi-head latent attention (DeepSeek-V2, 2024, section 2.1): one cached row per token serves all heads.
//
//     c      = rms_norm(x W_down)            [kv_rank]     what K and V of all heads are made of
//     k_rope = rope(x W_rope)                [rope_dim]    the part of every head's key that carries the position
//     cached row = [c, k_rope]                             values are its first kv_rank columns: v views k
//
//     expanded   K_h = [W_uk_h c, k_rope]    V_h = W_uv_h c        attention of H heads, as MHA
//     absorbed   q'_h = [W_uk_h^T q_nope_h, q_rope_h]              attention of H heads on the one cached row, as MQA;
//                output_h = W_uv_h (weights c)                     nothing is expanded
//
// Both are the same numbers, for q_nope (W_uk c) = (W_uk^T q_nope) c. The scale is 1/sqrt(nope_dim + rope_dim) in both.
#pragma once
#include "reference/contract/kv_view.h"
#include "reference/contract/options.h"
#include "reference/kv_cache/geometry.h"
#include "reference/tensor/random.h"

namespace headroom {

struct LatentGeometry {
    Index width, q_heads, kv_rank, nope_dim, rope_dim, value_dim; // width: E
    Index q_rank = 0;                                             // queries through a bottleneck too; 0: directly
    Index head_dim() const { return nope_dim + rope_dim; }
};

struct LatentWeights { // [out, in]
    LatentGeometry geometry;
    Tensor q_down, q_norm; // [q_rank, E], [q_rank]; empty without a bottleneck
    Tensor q_up;           // [H head_dim, q_rank or E]
    Tensor kv_down;        // [kv_rank + rope_dim, E]
    Tensor kv_norm;        // [kv_rank]
    Tensor k_up;           // [H nope_dim, kv_rank]
    Tensor v_up;           // [H Dv, kv_rank]
    Tensor o_proj;         // [E, H Dv]
};
LatentWeights random_latent_weights(const LatentGeometry& geometry, Random& random);

// What a cache of this must be: one KV head as wide as the row, values in the keys.
KvGeometry latent_cache_geometry(const LatentGeometry& geometry, Index layers, Index sequences, DType type);

// x [B, L, E]; token i of a sequence stands at position first + i.
Tensor latent_rows(const Tensor& x, const LatentWeights& weights, Index first);    // [B, 1, L, kv_rank + rope_dim]
Tensor latent_queries(const Tensor& x, const LatentWeights& weights, Index first); // [B, H, L, head_dim]

// q [B, H, L, head_dim], the cached rows -> [B, L, E].
Tensor expanded_attention(const Tensor& q, const KvView& rows, const LatentWeights& weights,
                          const AttentionOptions& options = {});
Tensor absorbed_attention(const Tensor& q, const KvView& rows, const LatentWeights& weights,
                          const AttentionOptions& options = {});

} // namespace headroom
