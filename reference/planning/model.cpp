#include "reference/planning/model.h"

#include "reference/planning/count_parameters.h"
#include "reference/planning/lenient_json.h"
#include "reference/planning/lookalikes.h"
#include "reference/planning/rules.h"
#include "reference/planning/text_part.h"
#include <algorithm>
#include <stdexcept>

namespace headroom {
namespace {

std::string kind_of(const Geometry& g)
{
    const Index attending = g.attention_layers(), without = g.count(Role::no_attention);
    if (attending == 0) return "none";
    if (without > 0) return "hybrid";
    if (g.is_latent()) return "MLA";
    const auto every = [&](auto&& holds) {
        return std::all_of(g.layers.begin(), g.layers.end(),
                           [&](const LayerGeometry& l) { return !l.attends() || holds(l); });
    };
    if (every([](const LayerGeometry& l) { return l.kv_heads == l.q_heads; })) return "MHA";
    if (every([](const LayerGeometry& l) { return l.kv_heads == 1; })) return "MQA";
    return "GQA";
}

Geometry derive(const ConfigPart& config)
{
    refuse_lookalikes(config);
    Geometry g;
    g.family = config.family();
    if (config.nested()) g.derivation.push_back("the text decoder is described by " + config.where());
    const Rules rules{config, config.nested() ? class_defaults(config.family()) : nullptr, g};
    if (!rule_no_cache(rules)) {
        rule_layer_count(rules);
        rule_query_heads(rules);
        if (!rule_latent(rules)) {
            rule_head_widths(rules);
            rule_kv_heads(rules);
        }
        rule_layer_roles(rules);
        rule_windows(rules);
        rule_sharing(rules);
        rule_cross_attention(rules);
    }
    rule_context(rules);
    g.kind = kind_of(g);
    return g;
}

ModelFacts describe(const nlohmann::json& file)
{
    const ConfigPart config = text_part(file);
    ModelFacts model;
    model.geometry = derive(config);
    model.parameters = count_parameters(file, config, model.geometry);
    return model;
}

} // namespace

ModelFacts model_from_text(const std::string& json) { return describe(parse_lenient_json(json)); }

ModelFacts read_model(const std::filesystem::path& path)
{
    try {
        ModelFacts model = describe(read_lenient_json(path));
        const bool plain = path.stem() == "config" && path.has_parent_path(); // llama-3-8b/config.json
        model.geometry.name = plain ? path.parent_path().filename().string() : path.stem().string();
        return model;
    } catch (const std::invalid_argument& error) {
        const std::string what = error.what();
        throw std::invalid_argument(what.starts_with("cannot read") ? what : path.string() + ": " + what);
    }
}

} // namespace headroom
