// D and Dv: stated, by the class's default, or hidden_size / query heads.
#include "reference/planning/rules.h"

#include <stdexcept>

namespace headroom {
namespace {

const Names head_dim_names{"head_dim", "attention_head_dim", "kv_channels", "d_kv", "d_head", "head_size"};

// Classes in which hidden_size / heads is not the head width.
bool must_be_stated(const ConfigPart& config)
{
    return config.is_family({"t5", "mt5", "umt5", "longt5", "switchtransformers", "qwen3moe", "qwen3next", "zamba",
                             "zamba2", "falconh1", "glm4moe"});
}

Index divided(const Rules& r)
{
    const Geometry& g = r.geometry;
    if (g.hidden_size == 0) throw std::invalid_argument("neither head_dim nor hidden_size is stated");
    for (const LayerGeometry& layer : g.layers)
        if (layer.q_heads != g.q_heads)
            throw std::invalid_argument("head_dim is not stated, and the layers have different numbers of heads");
    if (g.hidden_size % g.q_heads != 0)
        throw std::invalid_argument("head_dim is not stated, and hidden_size " + std::to_string(g.hidden_size) +
                                    " is no multiple of " + std::to_string(g.q_heads) + " heads");
    const Index width = g.hidden_size / g.q_heads;
    if (width > width_limit.most)
        throw std::invalid_argument("hidden_size " + std::to_string(g.hidden_size) + " / " + std::to_string(g.q_heads) +
                                    " heads is beyond any head width");
    r.say("head_dim " + std::to_string(width) + " = hidden_size " + std::to_string(g.hidden_size) + " / " +
          std::to_string(g.q_heads) + " heads, as no key states it");
    return width;
}

Index head_dim(const Rules& r)
{
    const ClassDefaults* class_rule = class_defaults(r.config.family());
    const Index usual = class_rule ? class_rule->head_dim : 0;
    if (const auto stated = r.config.number(head_dim_names, width_limit)) {
        std::string sentence = "head_dim " + std::to_string(stated->value) + " (" + stated->key + ")";
        const Geometry& g = r.geometry;
        if (g.hidden_size > 0 && g.hidden_size != stated->value * g.q_heads)
            sentence +=
                ", not hidden_size / heads = " + std::to_string(g.hidden_size) + " / " + std::to_string(g.q_heads);
        r.say(sentence);
        return stated->value;
    }
    if (usual > 0) {
        if (r.config.is_null("head_dim"))
            throw std::invalid_argument(r.config.label("head_dim") + " is null, but the class " + r.config.family() +
                                        " needs a number");
        r.say("head_dim " + std::to_string(usual) + ", the default of the class " + r.config.family() +
              ", as no key states it");
        return usual;
    }
    if (must_be_stated(r.config))
        throw std::invalid_argument("head_dim (or d_kv, attention_head_dim) is not stated, and in the class " +
                                    r.config.family() + " it is not hidden_size / heads");
    return divided(r);
}

} // namespace

void rule_head_widths(const Rules& r)
{
    const Index key = head_dim(r);
    Index value = key;
    if (const auto stated = r.config.number({"v_head_dim"}, {0, width_limit.most}); stated && stated->value > 0) {
        value = stated->value;
        if (value != key) r.say("V is " + std::to_string(value) + " wide (v_head_dim), K is " + std::to_string(key));
    }
    for (LayerGeometry& layer : r.geometry.layers) {
        layer.head_dim = key;
        layer.value_dim = value;
    }
}

} // namespace headroom
