// The rules that turn a config.json into a geometry, in the order in which they run. Each adds its sentence to the
// derivation, or throws std::invalid_argument with the reason why nothing can be derived.
#pragma once
#include "reference/planning/class_defaults.h"
#include "reference/planning/config_part.h"
#include "reference/planning/geometry.h"

namespace headroom {

struct Rules { // what the rules share
    const ConfigPart& config;
    const ClassDefaults* defaults; // only for nested parts, which leave out what equals the class's default
    Geometry& geometry;

    void say(std::string_view sentence) const;
    Index layers() const { return static_cast<Index>(geometry.layers.size()); }
};

bool rule_no_cache(const Rules&);        // state-space models and encoders: nothing to keep; true if so
void rule_layer_count(const Rules&);     // how many layers, model width
void rule_query_heads(const Rules&);     // H, also per layer
bool rule_latent(const Rules&);          // MLA: one latent vector instead of heads; true if so
void rule_head_widths(const Rules&);     // D and Dv
void rule_kv_heads(const Rules&);        // Hkv, also per layer
void rule_layer_roles(const Rules&);     // which layers attend at all
void rule_windows(const Rules&);         // which of them slide, or stay in a chunk
void rule_sharing(const Rules&);         // which read another layer's cache
void rule_cross_attention(const Rules&); // what is kept of an encoder or an image
void rule_context(const Rules&);         // the longest sequence that the model states

// Tools of the rules.
bool is_encoder_decoder(const ConfigPart& config);
struct PerLayer {
    std::vector<Index> values; // one for each layer
    std::string key;
    bool varies = false;
};
std::optional<PerLayer> per_layer(const Rules&, Names, Limit); // a number for all layers, or a list of one per layer
std::optional<std::vector<Index>> kv_heads_of_blocks(const Rules&); // where block_configs describes every layer
std::optional<std::vector<Role>> roles_of_blocks(const Rules&);
std::string list_text(const std::vector<Index>& numbers); // "4, 12, 20, 28", shortened when long

} // namespace headroom
