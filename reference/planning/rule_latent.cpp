// Multi-head latent attention: one vector per token and layer for all heads (DeepSeek-AI, DeepSeek-V2, 2024).
//
//     stored   c_kv [kv_lora_rank] and k_rope [qk_rope_head_dim]
//     expanded, as an engine without absorption keeps it:  k [H, qk_nope + qk_rope],  v [H, v_head_dim]
#include "reference/planning/rules.h"

#include <stdexcept>

namespace headroom {
namespace {

Index needed(const ConfigPart& config, const char* key)
{
    if (const auto stated = config.number({key}, {0, width_limit.most})) return stated->value;
    throw std::invalid_argument(config.label(key) + " is not stated, but latent attention needs it");
}

} // namespace

bool rule_latent(const Rules& r)
{
    const Limit width{0, width_limit.most};
    const bool off = r.config.has("use_mla") && r.config.flag("use_mla") == false;
    const auto rank = r.config.number({"kv_lora_rank"}, width);
    const auto rope = r.config.number({"qk_rope_head_dim"}, width), nope = r.config.number({"qk_nope_head_dim"}, width);
    if (off || !rank || rank->value == 0) {
        if (!off && ((rope && rope->value > 0) || (nope && nope->value > 0)))
            throw std::invalid_argument("kv_lora_rank is not stated, but qk_rope_head_dim or qk_nope_head_dim is: "
                                        "latent attention without its rank");
        return false;
    }
    LatentWidths& latent = r.geometry.latent;
    latent = {rank->value, needed(r.config, "qk_rope_head_dim"), needed(r.config, "qk_nope_head_dim"),
              needed(r.config, "v_head_dim")};
    for (LayerGeometry& layer : r.geometry.layers) {
        layer.kv_heads = 1;
        layer.head_dim = latent.rank + latent.rope;
        layer.value_dim = latent.rank;
        layer.latent = true;
    }
    r.say(
        "latent attention: " + std::to_string(latent.rank) + " + " + std::to_string(latent.rope) +
        " numbers per token and layer (kv_lora_rank + qk_rope_head_dim), one vector for all heads, V is read from it");
    r.say("an engine that expands it keeps " + std::to_string(latent.nope + latent.rope) + " + " +
          std::to_string(latent.value) + " numbers for each of " + std::to_string(r.geometry.q_heads) +
          " heads instead: kv_bytes_per_token_expanded");
    if (const auto more = r.config.number({"num_nextn_predict_layers"}, {0, layer_limit.most}); more && more->value > 0)
        r.say(std::to_string(more->value) + " layer for predicting further tokens is not counted");
    if (r.config.states("index_head_dim")) r.say("the keys of the token indexer are not counted");
    return true;
}

} // namespace headroom
