// block_configs: a model found by architecture search (DeciLM, Llama-Nemotron) states the attention of every block, or
// that it has none.
#include "reference/planning/rules.h"

#include <algorithm>
#include <stdexcept>

namespace headroom {
namespace {

constexpr Index no_attention = 0;

// Windows, sinks, sparse or latent attention of single blocks would need rules of their own.
void refuse_what_is_not_derived(const ConfigPart& attention)
{
    for (const auto& [key, value] : attention.object().items()) {
        const bool known = key == "no_op" || key == "replace_with_linear" || key == "n_heads_in_group";
        const bool off = value.is_null() || (value.is_boolean() && !value.get<bool>());
        if (!known && !off)
            throw std::invalid_argument(attention.where() + ": " + short_text(key) + " is " + short_text(value) +
                                        ": not derived here");
    }
}

// Query heads per KV head, or no_attention.
Index group_of_block(const nlohmann::json& block, const std::string& label)
{
    const auto attention = ConfigPart(block, label).part("attention");
    if (!attention) throw std::invalid_argument(label + ".attention is not stated");
    refuse_what_is_not_derived(*attention);
    if (attention->flag("no_op").value_or(false) || attention->flag("replace_with_linear").value_or(false))
        return no_attention;
    const auto group = attention->number({"n_heads_in_group"}, head_limit);
    if (!group) throw std::invalid_argument(attention->label("n_heads_in_group") + " is not stated");
    return group->value;
}

std::optional<std::vector<Index>> groups_of_blocks(const Rules& r)
{
    const char* key = "block_configs";
    if (!r.config.states(key)) return std::nullopt;
    const nlohmann::json& list = r.config.object()[key];
    if (!list.is_array()) throw std::invalid_argument(r.config.label(key) + " is not a list");
    if (static_cast<Index>(list.size()) != r.layers())
        throw std::invalid_argument(r.config.label(key) + " lists " + std::to_string(list.size()) +
                                    " layers, but the model has " + std::to_string(r.layers()));
    std::vector<Index> groups;
    for (const auto& block : list)
        groups.push_back(group_of_block(block, r.config.label(key) + "[" + std::to_string(groups.size()) + "]"));
    return groups;
}

} // namespace

std::optional<std::vector<Index>> kv_heads_of_blocks(const Rules& r)
{
    const auto groups = groups_of_blocks(r);
    if (!groups) return std::nullopt;
    std::vector<Index> heads, attending;
    for (std::size_t i = 0; i < groups->size(); ++i) {
        const Index q_heads = r.geometry.layers[i].q_heads, group = std::max((*groups)[i], Index{1});
        if (q_heads % group != 0)
            throw std::invalid_argument(r.config.label("block_configs") + "[" + std::to_string(i) + "] puts " +
                                        std::to_string(group) + " of " + std::to_string(q_heads) +
                                        " query heads in a group: they cannot be shared evenly");
        heads.push_back(q_heads / group);
        if ((*groups)[i] != no_attention) attending.push_back(heads.back());
    }
    r.say(list_text(attending) + " KV heads in the layers that attend (block_configs: query heads / n_heads_in_group)");
    return heads;
}

std::optional<std::vector<Role>> roles_of_blocks(const Rules& r)
{
    const auto groups = groups_of_blocks(r);
    if (!groups) return std::nullopt;
    std::vector<Role> roles;
    for (const Index group : *groups) roles.push_back(group == no_attention ? Role::no_attention : Role::full);
    return roles;
}

} // namespace headroom
