// Layers that read another layer's cache, and keys and values of something else than the text.
#include "reference/planning/rules.h"

#include <stdexcept>

namespace headroom {
namespace {

// Gemma 3n: the last n layers read the cache of the last earlier layer of their own kind.
void share_last_layers(const Rules& r, Index shared)
{
    auto& layers = r.geometry.layers;
    const Index own = r.layers() - shared;
    if (own <= 0) throw std::invalid_argument("num_kv_shared_layers leaves no layer with a cache of its own");
    for (Index i = own; i < r.layers(); ++i) {
        LayerGeometry& layer = layers[static_cast<std::size_t>(i)];
        for (Index j = own - 1; j >= 0 && layer.shares_with < 0; --j)
            if (layers[static_cast<std::size_t>(j)].role == layer.role) layer.shares_with = j;
        if (layer.shares_with < 0)
            throw std::invalid_argument("layer " + std::to_string(i) +
                                        " shares a cache, but no layer of its kind owns one");
    }
    r.say("the last " + std::to_string(shared) + " layers read the cache of earlier ones (num_kv_shared_layers): " +
          std::to_string(own) + " layers own a cache");
}

// Cross-layer attention (Brandon et al., 2024): the first of every n layers owns the cache of all n.
void share_in_groups(const Rules& r, Index factor)
{
    for (Index i = 0; i < r.layers(); ++i)
        if (i % factor != 0) r.geometry.layers[static_cast<std::size_t>(i)].shares_with = i - i % factor;
    r.say("one cache for every " + std::to_string(factor) + " layers (cla_share_factor)");
}

// Gemma 3n shares 15 layers where a nested config says nothing.
std::optional<Index> shared_last_layers(const Rules& r)
{
    if (const auto shared = r.config.number({"num_kv_shared_layers"}, {0, layer_limit.most})) return shared->value;
    if (!r.config.is_family({"gemma3n"})) return std::nullopt;
    if (!r.defaults || r.config.has("num_kv_shared_layers"))
        throw std::invalid_argument("num_kv_shared_layers is not stated, but layers of the class gemma3n share caches");
    r.say("num_kv_shared_layers is left out: the default of the class gemma3n, 15, applies");
    return 15;
}

void cross_layers(const Rules& r, const std::vector<Index>& list)
{
    for (const Index i : list) {
        if (i >= r.layers())
            throw std::invalid_argument("cross_attention_layers names layer " + std::to_string(i) + " of " +
                                        std::to_string(r.layers()));
        r.geometry.layers[static_cast<std::size_t>(i)].role = Role::cross;
    }
    const LayerGeometry& layer = r.geometry.layers.front();
    r.geometry.cross = {r.geometry.count(Role::cross), layer.kv_heads, layer.head_dim, 0, "image token"};
    r.say("the layers " + list_text(list) + " attend to the image (cross_attention_layers): their cache is fixed, " +
          std::to_string(r.geometry.attention_layers()) + " layers grow with the text");
}

void cross_decoder(const Rules& r)
{
    const LayerGeometry& layer = r.geometry.layers.front();
    r.geometry.cross = {r.layers(), layer.kv_heads, layer.head_dim, 0, "encoder token"};
    // A speech encoder reads a window of sound that is always padded to the same length.
    const auto frames = r.config.number({"max_source_positions"}, token_limit);
    if (frames && r.config.states("num_mel_bins")) {
        r.geometry.cross.tokens = frames->value;
        r.say("every decoder layer also keeps keys and values of " + std::to_string(frames->value) +
              " encoder positions (max_source_positions), fixed per sequence");
    } else if (r.config.is_family({"whisper"})) {
        throw std::invalid_argument(
            "max_source_positions or num_mel_bins is not stated: the encoder's part is unknown");
    } else {
        r.say("every decoder layer also keeps keys and values of the encoder's tokens, fixed once it has run: "
              "cross_bytes_per_source_token, or say --source-tokens");
    }
}

} // namespace

void rule_sharing(const Rules& r)
{
    if (const auto shared = shared_last_layers(r); shared && *shared > 0) share_last_layers(r, *shared);
    if (r.config.flag("use_cla").value_or(false)) {
        const auto factor = r.config.number({"cla_share_factor"}, layer_limit);
        if (!factor) throw std::invalid_argument("use_cla is true, but cla_share_factor is not stated");
        share_in_groups(r, factor->value);
    }
}

void rule_cross_attention(const Rules& r)
{
    const auto listed = r.config.numbers("cross_attention_layers", {0, layer_limit.most});
    if (listed && !listed->empty()) return cross_layers(r, *listed);
    if (r.config.is_family({"mllama"}))
        throw std::invalid_argument(
            "cross_attention_layers is not stated, but layers of the class mllama attend to an image");
    if (is_encoder_decoder(r.config) || r.config.flag("add_cross_attention").value_or(false)) cross_decoder(r);
}

} // namespace headroom
