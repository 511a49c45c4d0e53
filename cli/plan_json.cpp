// The stable keys of headroom.plan/1.
#include "cli/plan_output.h"

#include "reference/planning/advice.h"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(const std::optional<Index>& value) { return value ? Json(*value) : Json(nullptr); }

std::string_view role_name(Role role)
{
    switch (role) {
    case Role::full: return "full";
    case Role::sliding: return "sliding";
    case Role::chunked: return "chunked";
    case Role::cross: return "cross";
    case Role::no_attention: return "none";
    }
    return "";
}

Json layer_json(const Plan& plan, std::size_t i)
{
    const LayerGeometry& layer = plan.geometry.layers[i];
    KvSettings whole = plan.settings.cache;
    whole.ranks = 1;
    Json json{{"layer", i}, {"role", role_name(layer.role)}};
    if (layer.role == Role::no_attention) return json;
    json["q_heads"] = layer.q_heads;
    json["kv_heads"] = layer.kv_heads;
    json["head_dim"] = layer.head_dim;
    json["value_dim"] = layer.value_dim;
    if (layer.window > 0) json["window"] = layer.window;
    if (layer.chunk > 0) json["chunk"] = layer.chunk;
    if (layer.shares_with >= 0) json["shares_with"] = layer.shares_with;
    json["kv_bytes_per_token"] = layer.owns_cache() ? token_bytes(layer, whole) : 0;
    return json;
}

void add_heads(Json& json, const Geometry& g)
{
    LayerGeometry most; // the widest of the layers that attend
    for (const LayerGeometry& layer : g.layers)
        if (layer.attends() && layer.kv_heads >= most.kv_heads) most = layer;
    json["kv_heads"] = most.kv_heads;
    json["head_dim"] = most.head_dim;
    json["value_dim"] = most.value_dim;
    if (!g.is_latent()) return;
    json["latent_rank"] = g.latent.rank;
    json["latent_rope_dim"] = g.latent.rope;
}

void add_weights(Json& json, const Weights& w)
{
    json["parameters"] = number_or_null(w.parameters);
    if (!w.parameters) json["parameters_reason"] = w.parameters_reason;
    if (w.active && w.active != w.parameters) json["parameters_read_per_token"] = *w.active;
    json["weight_dtype"] = w.dtype;
    json["weight_bytes"] = number_or_null(w.bytes);
    if (!w.bytes) json["weight_bytes_reason"] = w.bytes_reason;
}

void add_fit(Json& json, const Plan& plan)
{
    if (plan.settings.memory) json["memory"] = plan.settings.memory->text;
    if (plan.fit) {
        const Fit& fit = *plan.fit;
        json["memory_bytes"] = fit.memory_bytes;
        json["reserve_bytes"] = fit.reserve_bytes;
        json["weight_bytes_per_rank"] = fit.weight_bytes;
        json["cache_room_bytes"] = fit.room_bytes;
        json["weights_fit"] = fit.room_bytes >= 0;
        json["longest_context"] = number_or_null(fit.longest_context);
        json["largest_batch"] = number_or_null(fit.largest_batch);
    } else if (plan.settings.memory) {
        json["memory_bytes"] = plan.settings.memory->bytes;
        json["fit_reason"] = plan.fit_reason;
    }
    if (plan.roofline) {
        json["bandwidth_bytes_per_second"] = plan.roofline->bandwidth;
        json["weight_bytes_read_per_step"] = plan.roofline->weight_bytes_read;
        json["kv_bytes_read_per_step"] = plan.roofline->kv_bytes_read;
        json["step_ms_bound"] = plan.roofline->step_ms;
        json["tokens_per_second_bound"] = plan.roofline->tokens_per_second;
    } else if (plan.settings.bandwidth) {
        json["roofline_reason"] = plan.roofline_reason;
    }
}

} // namespace

Json plan_json(const Plan& plan)
{
    const Geometry& g = plan.geometry;
    Json json{{"schema", "headroom.plan/1"},
              {"model", g.name},
              {"kind", g.kind},
              {"model_layers", g.layers.size()},
              {"attention_layers", g.attention_layers()},
              {"cache_layers", g.cache_layers()},
              {"q_heads", g.q_heads}};
    add_heads(json, g);
    json["kv_bytes_per_token"] = plan.bytes_per_token;
    json["kv_bytes_per_token_beyond_window"] = plan.bytes_per_token_beyond_window;
    if (g.count(Role::chunked) > 0) json["kv_bytes_per_token_beyond_chunk"] = plan.bytes_per_token_beyond_chunk;
    if (g.is_latent()) json["kv_bytes_per_token_expanded"] = plan.bytes_per_token_expanded;
    json["fixed_bytes_per_sequence"] = plan.fixed_bytes_per_sequence;
    if (g.cross.layers > 0) {
        json["cross_layers"] = g.cross.layers;
        json["cross_bytes_per_source_token"] = plan.source_token_bytes;
    }
    json["kv_bytes"] = plan.kv_bytes;
    json["kv_bytes_not_evicting"] = number_or_null(plan.kv_bytes_not_evicting);
    if (g.count(Role::chunked) > 0) json["kv_bytes_evicting_chunks"] = number_or_null(plan.kv_bytes_evicting_chunks);
    json["kv_bytes_per_token_as_mha"] = plan.mha_bytes_per_token;
    json["kv_bytes_per_token_as_mqa"] = plan.mqa_bytes_per_token;
    json["kv_bytes_as_mha"] = number_or_null(plan.mha_kv_bytes);
    json["kv_bytes_as_mqa"] = number_or_null(plan.mqa_kv_bytes);
    json["context"] = plan.context;
    json["model_context"] = g.model_context > 0 ? Json(g.model_context) : Json(nullptr);
    json["batch"] = plan.settings.batch;
    json["kv_dtype"] = plan.settings.cache.format.name;
    json["kv_scaling"] = name(plan.settings.cache.format.scaling);
    json["page_tokens"] = plan.settings.cache.page;
    json["tensor_parallel"] = plan.settings.cache.ranks;
    json["kv_bytes_per_token_per_rank"] = plan.bytes_per_token_per_rank;
    json["kv_bytes_per_rank"] = plan.kv_bytes_per_rank;
    add_weights(json, plan.weights);
    add_fit(json, plan);
    if (g.layers_vary())
        for (std::size_t i = 0; i < g.layers.size(); ++i) json["layers"].push_back(layer_json(plan, i));
    if (const auto advice = advise(plan)) json["advice"] = advice->sentences;
    json["derivation"] = plan.derivation;
    return json;
}

} // namespace headroom
