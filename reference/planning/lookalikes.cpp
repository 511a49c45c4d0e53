#include "reference/planning/lookalikes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <stdexcept>

namespace headroom {
namespace {

// Keys whose absence means something (no window, as many KV heads as heads …): misread, they give a wrong number.
constexpr std::array telling_keys{"num_key_value_heads",
                                  "block_configs",
                                  "num_kv_heads",
                                  "n_head_kv",
                                  "multi_query",
                                  "multi_query_attention",
                                  "multi_query_group_num",
                                  "new_decoder_architecture",
                                  "attn_config",
                                  "text_config",
                                  "head_dim",
                                  "kv_channels",
                                  "v_head_dim",
                                  "kv_lora_rank",
                                  "qk_rope_head_dim",
                                  "qk_nope_head_dim",
                                  "sliding_window",
                                  "sliding_window_pattern",
                                  "use_sliding_window",
                                  "max_window_layers",
                                  "layer_types",
                                  "layers_block_type",
                                  "attention_chunk_size",
                                  "no_rope_layers",
                                  "cross_attention_layers",
                                  "num_decoder_layers",
                                  "hybrid_override_pattern",
                                  "attn_layer_period",
                                  "attn_layer_offset",
                                  "full_attention_interval",
                                  "num_kv_shared_layers",
                                  "cla_share_factor",
                                  "max_source_positions"};

// Keys that a rule reads, or that are known to say nothing about the cache.
constexpr std::array understood_keys{"_sliding_window_pattern",
                                     "attention_head_dim",
                                     "attn_layer_indices",
                                     "decoder_num_key_value_heads",
                                     "kv_n_heads",
                                     "layer_type",
                                     "linear_attn_config",
                                     "llm_config",
                                     "mlp_layer_types",
                                     "n_kv_head",
                                     "n_kv_heads",
                                     "num_hidden_layers",
                                     "num_key_value_heads_per_layer",
                                     "num_encoder_layers",
                                     "num_query_groups",
                                     "q_lora_rank",
                                     "qk_head_dim",
                                     "sliding_window_size",
                                     "use_cla",
                                     "kv_cache_dtype",
                                     "num_decoder_layers",
                                     "max_target_positions",
                                     "cross_attention_hidden_size",
                                     "attention_types",
                                     "attention_layers",
                                     "no_rope_layer_interval",
                                     "num_heads",
                                     "encoder_layers",
                                     "num_experts",
                                     "tie_encoder_decoder",
                                     "num_layers"};

// What other parts of a model are described with.
constexpr std::array other_parts{"mamba", "ssm",     "linear",    "index",    "lightning",   "gdn",
                                 "kda",   "conv",    "rotary",    "rope",     "vision",      "audio",
                                 "image", "mm",      "moe",       "expert",   "draft",       "mtp",
                                 "eagle", "encoder", "projector", "id2label", "transformers"};

// Known to change the cache in ways that no rule here describes.
struct Unsupported {
    const char *key, *why;
};
constexpr std::array unsupported{
    Unsupported{"n_kv_groups",
                "\"groups\" means the number of KV heads in one project and heads per KV head in another"},
    Unsupported{"num_kv_groups",
                "\"groups\" means the number of KV heads in one project and heads per KV head in another"},
    Unsupported{"num_key_value_groups",
                "\"groups\" means the number of KV heads in one project and heads per KV head in another"},
    Unsupported{"kv_reuse_group", "which layers reuse another's cache is not derived here"},
    Unsupported{"global_head_dim", "global layers with a head width of their own are not derived here"},
    Unsupported{"num_global_key_value_heads", "global layers with KV heads of their own are not derived here"},
    Unsupported{"swa_num_key_value_heads", "window layers with KV heads of their own are not derived here"},
    Unsupported{"compress_ratios", "a cache that compresses tokens has no simple formula"},
    Unsupported{"mb_per_layer", "which layers share the cache of a decoder-decoder model is not derived here"},
    Unsupported{"interleaved_sliding_window", "which layers slide is not derived from this key"}};

std::string plain(std::string_view key)
{
    std::string letters;
    for (const char c : key)
        if (std::isalnum(static_cast<unsigned char>(c)))
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return letters;
}

std::size_t edits(std::string_view a, std::string_view b) // Levenshtein distance
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

bool contains(const auto& list, std::string_view key) { return std::find(list.begin(), list.end(), key) != list.end(); }

bool looks_like(const std::string& unknown, const std::string& telling)
{
    if (unknown.find(telling) != std::string::npos) return true;
    if (telling.size() < 8 || unknown.size() + 2 < telling.size() || telling.size() + 2 < unknown.size()) return false;
    return edits(unknown, telling) <= 2;
}

bool speaks_of_kv_heads(const std::string& unknown)
{
    const bool kv = unknown.find("kv") != std::string::npos || unknown.find("keyvalue") != std::string::npos;
    return kv && (unknown.find("head") != std::string::npos || unknown.find("group") != std::string::npos);
}

} // namespace

void refuse_lookalikes(const ConfigPart& config)
{
    for (const auto& [key, value] : config.object().items()) {
        for (const Unsupported& known : unsupported)
            if (key == known.key && !value.is_null())
                throw std::invalid_argument(config.label(key) + " cannot be derived: " + known.why);
        if (contains(telling_keys, key) || contains(understood_keys, key)) continue;
        const std::string unknown = plain(key);
        const bool other = std::any_of(other_parts.begin(), other_parts.end(),
                                       [&](const char* part) { return unknown.starts_with(part); });
        if (other || unknown.size() > 64) continue;
        for (const char* telling : telling_keys)
            if (looks_like(unknown, plain(telling)))
                throw std::invalid_argument("the key " + short_text(config.label(key)) +
                                            " is not known, but looks like " + telling +
                                            ", which changes the cache: correct or remove it");
        if (speaks_of_kv_heads(unknown))
            throw std::invalid_argument("the key " + short_text(config.label(key)) +
                                        " speaks of KV heads in a way that is not known here");
    }
}

} // namespace headroom
