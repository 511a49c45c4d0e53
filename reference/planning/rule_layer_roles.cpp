// Which layers attend: a list by name, a pattern, a period, or all of them.
#include "reference/planning/rules.h"

#include <algorithm>
#include <stdexcept>

namespace headroom {
namespace {

using Roles = std::vector<Role>;

std::size_t layer_index(Index i) { return static_cast<std::size_t>(i); }

Role role_named(const std::string& name, const std::string& label)
{
    for (const char* full : {"full_attention", "attention", "global_attention", "global", "full", "hybrid"})
        if (name == full) return Role::full;
    for (const char* sliding : {"sliding_attention", "sliding_window_attention", "local_attention", "local", "sliding"})
        if (name == sliding) return Role::sliding;
    if (name == "chunked_attention") return Role::chunked;
    for (const char* other : {"mamba", "mamba2", "linear_attention", "conv", "recurrent", "linear", "lightning"})
        if (name == other) return Role::no_attention;
    throw std::invalid_argument(label + " names a kind of layer that is not known: " + short_text(name));
}

Roles check_length(const Rules& r, const std::string& key, Roles roles)
{
    if (static_cast<Index>(roles.size()) != r.layers())
        throw std::invalid_argument(r.config.label(key) + " lists " + std::to_string(roles.size()) +
                                    " layers, but the model has " + std::to_string(r.layers()));
    r.say("the kind of each layer is listed (" + key + ")");
    return roles;
}

std::optional<Roles> by_list(const Rules& r)
{
    for (const char* key : {"layer_types", "layers_block_type", "attention_layers"})
        if (const auto names = r.config.words(key)) {
            Roles roles;
            for (const std::string& name : *names) roles.push_back(role_named(name, r.config.label(key)));
            return check_length(r, key, roles);
        }
    return std::nullopt;
}

std::optional<Roles> by_repeated_blocks(const Rules& r) // RecurrentGemma: the block repeats until all layers have one
{
    for (const char* key : {"block_types", "_block_types"})
        if (const auto names = r.config.words(key)) {
            if (names->empty()) throw std::invalid_argument(r.config.label(key) + " is empty");
            Roles roles;
            for (Index i = 0; i < r.layers(); ++i)
                roles.push_back(role_named((*names)[layer_index(i) % names->size()], r.config.label(key)));
            if (r.config.states("attention_window_size"))
                std::replace(roles.begin(), roles.end(), Role::full, Role::sliding);
            r.say("the block of " + std::to_string(names->size()) + " layers repeats (" + key + ")");
            return roles;
        }
    return std::nullopt;
}

std::optional<Roles> by_letters(const Rules& r) // Nemotron-H: M mamba, * attention, - feed-forward, E experts
{
    const char* key = "hybrid_override_pattern";
    const auto letters = r.config.text(key);
    if (!letters) return std::nullopt;
    Roles roles;
    for (const char letter : *letters) {
        if (std::string_view("M-E*").find(letter) == std::string_view::npos)
            throw std::invalid_argument(r.config.label(key) +
                                        " holds a letter that is not known: " + short_text(std::string(1, letter)));
        roles.push_back(letter == '*' ? Role::full : Role::no_attention);
    }
    return check_length(r, key, roles);
}

Roles only(const Rules& r, const std::vector<Index>& attending)
{
    Roles roles(r.geometry.layers.size(), Role::no_attention);
    for (const Index i : attending) {
        if (i < 0 || i >= r.layers())
            throw std::invalid_argument("layer " + std::to_string(i) + " is to attend, but the model has " +
                                        std::to_string(r.layers()) + " layers");
        roles[layer_index(i)] = Role::full;
    }
    return roles;
}

std::optional<Roles> by_indices(const Rules& r)
{
    for (const char* key : {"attn_layer_indices", "full_attn_idxs"})
        if (const auto indices = r.config.numbers(key, {0, layer_limit.most})) {
            r.say("only the layers " + list_text(*indices) + " attend (" + key + ")");
            return only(r, *indices);
        }
    if (const auto linear = r.config.part("linear_attn_config")) {
        auto indices = linear->numbers("full_attn_layers", layer_limit);
        if (!indices) throw std::invalid_argument("linear_attn_config does not say which layers attend fully");
        for (Index& i : *indices) --i; // counted from 1
        r.say("only the layers " + list_text(*indices) + " attend fully (linear_attn_config.full_attn_layers)");
        return only(r, *indices);
    }
    if (const auto kinds = r.config.numbers("attn_type_list", {0, 1})) { // MiniMax: 1 softmax, 0 linear
        Roles roles;
        for (const Index kind : *kinds) roles.push_back(kind == 1 ? Role::full : Role::no_attention);
        return check_length(r, "attn_type_list", roles);
    }
    return std::nullopt;
}

std::optional<Roles> by_period(const Rules& r)
{
    auto period = r.config.number({"attn_layer_period"}, layer_limit);
    auto offset = r.config.number({"attn_layer_offset"}, {0, layer_limit.most});
    if (period.has_value() != offset.has_value())
        throw std::invalid_argument("attn_layer_period and attn_layer_offset belong together, one is not stated");
    if (const auto every = r.config.number({"full_attention_interval"}, layer_limit); every && !period) {
        period = every;
        offset = Stated{every->value - 1, every->key};
    }
    if (!period) return std::nullopt;
    if (offset->value >= period->value) throw std::invalid_argument("attn_layer_offset is not below attn_layer_period");
    std::vector<Index> attending;
    for (Index i = offset->value; i < r.layers(); i += period->value) attending.push_back(i);
    r.say("only the layers i with i mod " + std::to_string(period->value) + " = " + std::to_string(offset->value) +
          " attend (" + period->key + "): " + list_text(attending));
    return only(r, attending);
}

// A model with other kinds of layers must say which ones attend; Falcon-H1 has attention in all of them.
void refuse_unlisted_hybrid(const Rules& r)
{
    if (r.config.is_family({"falconh1"})) return;
    const bool hybrid = r.config.is_family({"jamba", "nemotronh", "bamba", "zamba", "zamba2", "recurrentgemma",
                                            "qwen3next", "lfm2", "kimilinear", "granitemoehybrid", "minimax", "hymba"});
    for (const auto& [key, value] : r.config.object().items())
        if (hybrid || ((key.starts_with("mamba_") || key.starts_with("ssm_")) && !value.is_null()))
            throw std::invalid_argument("the model has layers without attention, but no known key says which");
}

} // namespace

void rule_layer_roles(const Rules& r)
{
    std::optional<Roles> roles;
    for (const auto rule : {by_list, roles_of_blocks, by_repeated_blocks, by_letters, by_indices, by_period})
        if (!roles) roles = rule(r);
    if (!roles) return refuse_unlisted_hybrid(r);
    for (std::size_t i = 0; i < roles->size(); ++i) r.geometry.layers[i].role = (*roles)[i];
    const Index attending = r.geometry.attention_layers();
    if (attending < r.layers())
        r.say(std::to_string(attending) + " of " + std::to_string(r.layers()) +
              " layers attend; the others keep a state of fixed size or nothing, not counted here");
}

} // namespace headroom
