// What a model keeps for every token, layer by layer, as its config.json states it; with the derivation in words.
#pragma once
#include "reference/tensor/tensor.h"
#include <filesystem>
#include <string>
#include <vector>

namespace headroom {

struct LayerGeometry {
    enum class Role : std::uint8_t {
        full,         // attends to all earlier tokens
        sliding,      // to the last `window` tokens, the query's own included
        chunked,      // to the tokens of its own chunk of `chunk` tokens
        cross,        // to an encoder's or an image's tokens: its cache does not grow
        no_attention, // state space, convolution, feed-forward: no cache
    };
    Role role = Role::full;
    Index q_heads = 0, kv_heads = 0; // a latent layer stores one vector for all heads: kv_heads 1
    Index head_dim = 0, value_dim = 0;
    bool latent = false; // MLA: V is the first value_dim columns of K, only K is stored
    Index window = 0, chunk = 0;
    Index shares_with = -1; // reads the cache of that earlier layer and owns none

    bool attends() const { return role != Role::no_attention && role != Role::cross; }
    bool owns_cache() const { return attends() && shares_with < 0; }
    bool operator==(const LayerGeometry&) const = default;
};
using Role = LayerGeometry::Role;

struct LatentWidths { // multi-head latent attention, per head when expanded
    Index rank = 0, rope = 0, nope = 0, value = 0;
};

// Keys and values of something else than the text, computed once per sequence.
struct CrossAttention {
    Index layers = 0, kv_heads = 0, head_dim = 0;
    Index tokens = 0;   // known from the file; 0: depends on the input
    std::string source; // "encoder token", "image token"
};

struct Geometry {
    std::string name;   // of the file, without .json
    std::string family; // "llama", "gptoss": the class that reads this config
    std::string kind;   // "MHA", "GQA", "MQA", "MLA", "hybrid", "none"
    std::vector<LayerGeometry> layers;
    Index hidden_size = 0, q_heads = 0, model_context = 0; // 0: not stated
    LatentWidths latent;
    CrossAttention cross;
    std::vector<std::string> derivation;

    bool is_latent() const { return latent.rank > 0; }
    Index count(Role role) const;
    Index attention_layers() const;
    Index cache_layers() const;
    bool layers_vary() const; // among those that attend
};

} // namespace headroom
