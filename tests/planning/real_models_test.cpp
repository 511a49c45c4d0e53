#include "reference/planning/model.h"
#include "reference/planning/plan.h"
#include "tests/planning/config_index.h"
#include "tests/support/catch.h"
#include <nlohmann/json.hpp>

using namespace headroom;

namespace {

Plan plan_at(const std::filesystem::path& config, Index context)
{
    PlanSettings settings;
    settings.context = context;
    return make_plan(config, settings);
}

Index sum_of_width(const std::string& text) // "128", "512+64"
{
    const std::size_t plus = text.find('+');
    return std::stoll(text) + (plus == std::string::npos ? 0 : std::stoll(text.substr(plus + 1)));
}

// Every per-layer list and pattern of the file twice, and twice the number of layers.
nlohmann::json doubled(nlohmann::json file)
{
    nlohmann::json& part = file.contains("text_config") ? file["text_config"] : file;
    if (!part.contains("num_hidden_layers") && part.contains("model_type") && part["model_type"] == "llama")
        part["num_hidden_layers"] = 32;
    for (const char* key :
         {"num_hidden_layers", "n_layer", "n_layers", "num_layers", "decoder_layers", "num_decoder_layers"})
        if (part.contains(key)) {
            const Index layers = part[key];
            part[key] = 2 * layers;
            if (part.contains("cross_attention_layers"))
                for (const auto& i : std::vector<Index>(part["cross_attention_layers"]))
                    part["cross_attention_layers"].push_back(i + layers);
        }
    for (const char* key : {"layer_types", "no_rope_layers"})
        if (part.contains(key))
            for (const auto& kind : nlohmann::json(part[key])) part[key].push_back(kind);
    if (part.contains("hybrid_override_pattern")) {
        const std::string once = part["hybrid_override_pattern"];
        part["hybrid_override_pattern"] = once + once;
    }
    return file;
}

} // namespace

TEST_CASE("the cache of every real model in the shared index is calculated exactly")
{
    const auto rows = config_index();
    if (rows.empty()) return;
    REQUIRE(rows.size() == 48);
    for (const IndexRow& row : rows) {
        INFO(row.name());
        if (row.columns.at("confidence") == "refuse") {
            CHECK_THROWS_AS(plan_at(row.config(), 4096), std::invalid_argument);
            continue;
        }
        const Plan plan = plan_at(row.config(), 4096);
        const Geometry& g = plan.geometry;
        CHECK(static_cast<Index>(g.layers.size()) == row.number("layers"));
        CHECK(g.q_heads == row.number("q_heads"));
        CHECK(plan.bytes_per_token == row.number("bytes_per_token_bf16"));
        CHECK(plan.bytes_per_token_beyond_window == row.number("bytes_per_token_beyond_window"));
        CHECK(plan.fixed_bytes_per_sequence == row.number("extra_fixed_bytes_per_sequence"));
        CHECK(plan.kv_bytes == row.number("bytes_at_4096_tokens"));
        CHECK(plan_at(row.config(), 131072).kv_bytes == row.number("bytes_at_131072_tokens"));
        CHECK_FALSE(plan.derivation.empty());

        Index windows = 0;
        for (const LayerGeometry& layer : g.layers) {
            if (layer.role == Role::sliding) windows += layer.window * token_bytes(layer, {});
            if (!layer.attends()) continue;
            CHECK(layer.kv_heads == row.number("kv_heads"));
            CHECK(layer.head_dim == sum_of_width(row.columns.at("head_dim")));
        }
        CHECK(windows == row.number("window_part_bytes_when_full"));
    }
}

TEST_CASE("the kind is the one that the index names")
{
    for (const IndexRow& row : config_index()) {
        INFO(row.name());
        const std::string kind = plan_at(row.config(), 1).geometry.kind, named = row.columns.at("kind");
        CHECK(named.find(kind) != std::string::npos);
        if (kind != "hybrid") CHECK(named.find("hybrid") == std::string::npos);
    }
}

TEST_CASE("a model with its layers doubled takes double the bytes")
{
    for (const IndexRow& row : config_index()) {
        INFO(row.name());
        const std::string text = file_text(row.config());
        if (text.find("Infinity") != std::string::npos) continue; // rewritten below
        const Geometry once = model_from_text(text).geometry,
                       twice = model_from_text(doubled(nlohmann::json::parse(text)).dump()).geometry;
        const KvSettings settings;
        CHECK(twice.layers.size() == 2 * once.layers.size());
        CHECK(bytes_per_token(twice, settings) == 2 * bytes_per_token(once, settings));
        CHECK(fixed_bytes(twice, settings) == 2 * fixed_bytes(once, settings));
        // Every 6th of 26 layers is 4, of 52 it is 8: the patterns here double as well.
        CHECK(kv_bytes(twice, settings, 131072, 3) == 2 * kv_bytes(once, settings, 131072, 3));
    }
}

TEST_CASE("doubling works for a file with Infinity in it too")
{
    for (const IndexRow& row : config_index()) {
        std::string text = file_text(row.config());
        const std::size_t at = text.find("Infinity");
        if (at == std::string::npos) continue;
        INFO(row.name());
        const Index once = bytes_per_token(model_from_text(text).geometry, {});
        text.replace(at, 8, "0.1");
        CHECK(bytes_per_token(model_from_text(doubled(nlohmann::json::parse(text)).dump()).geometry, {}) == 2 * once);
    }
}
