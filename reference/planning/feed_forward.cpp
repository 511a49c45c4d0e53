#include "reference/planning/feed_forward.h"

#include "reference/planning/checked.h"
#include <algorithm>

namespace headroom {
namespace {

Index needed(const ConfigPart& config, Names names, Limit limit)
{
    if (const auto stated = config.number(names, limit)) return stated->value;
    throw NotStated(config.label(*names.begin()));
}

// One block of width F: gated E F + E F + F E, plain E F + F E.
Index block(const Anatomy& a, Index E, Index F, bool bias)
{
    const Index matrices = times(a.gated ? 3 : 2, E, F);
    return bias ? plus(matrices, plus(times(a.gated ? 2 : 1, F), E)) : matrices;
}

Index dense_width(const ConfigPart& config, const Anatomy& a, Index E)
{
    const auto stated =
        config.number({"intermediate_size", "ffn_dim", "ffn_hidden_size", "n_inner"}, model_width_limit);
    if (stated) return stated->value / a.mlp_divisor;
    if (a.mlp_ratio == 0) throw NotStated(config.label("intermediate_size"));
    const auto ratio = config.number({"expansion_ratio"}, {1, 1024});
    return times(ratio ? ratio->value : a.mlp_ratio, E);
}

struct ExpertCounts {
    Index layers, dense_layers, experts, chosen, shared, each, dense, router;
};

FeedForward add_up(const ExpertCounts& n)
{
    const auto of_layer = [&](Index experts) { return plus(times(plus(experts, n.shared), n.each), n.router); };
    const Index dense = times(n.dense_layers, n.dense);
    return {plus(dense, times(n.layers, of_layer(n.experts))), plus(dense, times(n.layers, of_layer(n.chosen))),
            std::to_string(n.experts) + " experts in " + std::to_string(n.layers) + " layers, a token visits " +
                std::to_string(n.chosen) + (n.shared > 0 ? " and " + std::to_string(n.shared) + " shared" : "")};
}

FeedForward deepseek(const ConfigPart& config, const Anatomy& a, Index layers, Index E)
{
    const Index experts = needed(config, {"n_routed_experts"}, head_limit);
    const Index first = std::min(layers, needed(config, {"first_k_dense_replace"}, {0, layer_limit.most}));
    const Index every = needed(config, {"moe_layer_freq"}, layer_limit);
    Index sparse = 0;
    for (Index i = first; i < layers; ++i) sparse += i % every == 0 ? 1 : 0;
    const bool corrected = config.text("topk_method") == "noaux_tc"; // a bias per expert steers the choice
    return add_up({.layers = sparse,
                   .dense_layers = layers - sparse,
                   .experts = experts,
                   .chosen = needed(config, {"num_experts_per_tok"}, {1, experts}),
                   .shared = config.number({"n_shared_experts"}, {0, 65'536}).value_or(Stated{}).value,
                   .each = block(a, E, needed(config, {"moe_intermediate_size"}, model_width_limit), false),
                   .dense = block(a, E, dense_width(config, a, E), false),
                   .router = plus(times(experts, E), corrected ? experts : 0)});
}

} // namespace

FeedForward feed_forward(const ConfigPart& config, const Anatomy& a, const Geometry& g)
{
    const Index layers = static_cast<Index>(g.layers.size()), E = g.hidden_size;
    if (a.experts == Experts::deepseek) return deepseek(config, a, layers, E);
    if (a.experts == Experts::none) {
        const bool bias = a.mlp_bias || config.flag("mlp_bias").value_or(false);
        const Index all = times(layers, block(a, E, dense_width(config, a, E), bias));
        return {all, all, ""};
    }
    const bool bias = a.experts == Experts::gpt_oss;
    const Index experts = needed(config, {"num_local_experts", "num_experts"}, head_limit);
    return add_up({.layers = layers,
                   .dense_layers = 0,
                   .experts = experts,
                   .chosen = needed(config, {"num_experts_per_tok"}, {1, experts}),
                   .shared = 0,
                   .each = block(a, E, dense_width(config, a, E), bias),
                   .dense = 0,
                   .router = plus(times(experts, E), bias ? experts : 0)});
}

} // namespace headroom
