// What a class does where its file is silent, and models whose layers each have their own heads.
#include "reference/planning/kv_bytes.h"
#include "reference/planning/model.h"
#include "tests/support/catch.h"

using namespace headroom;

namespace {

const std::string base = R"("hidden_size": 64, "num_attention_heads": 8, "num_hidden_layers": 6)";
const std::string shared = base + R"(, "num_key_value_heads": 2)";

Geometry geometry(const std::string& body) { return model_from_text("{" + body + "}").geometry; }

std::string refusal(const std::string& body)
{
    try {
        geometry(body);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

bool refuses(const std::string& body, const std::string& because)
{
    return refusal(body).find(because) != std::string::npos;
}

std::string blocks(const std::string& attention) // three of 16 query heads: groups of 8, none, as given
{
    return R"("model_type": "nemotron-nas", "hidden_size": 128, "num_attention_heads": 16, "num_hidden_layers": 3,
        "num_key_value_heads": null, "block_configs": [
        {"attention": {"n_heads_in_group": 8, "no_op": false, "replace_with_linear": false, "window_length": null}},
        {"attention": {"n_heads_in_group": null, "no_op": true, "replace_with_linear": false}},
        {"attention": {)" +
           attention + "}}]";
}

} // namespace

TEST_CASE("blocks found by architecture search: a group of heads each, or no attention")
{
    const Geometry g = geometry(blocks(R"("n_heads_in_group": 4, "no_op": false, "replace_with_linear": false)"));
    CHECK(bytes_per_token(g, {}) == (2 + 4) * 2 * 8 * 2);
    CHECK(g.attention_layers() == 2);
    CHECK(g.kind == "hybrid");
    CHECK(geometry(blocks(R"("replace_with_linear": true)")).attention_layers() == 1);
    CHECK(refuses(blocks(R"("n_heads_in_group": 5)"), "block_configs[2]"));
    CHECK(refuses(blocks(R"("n_heads_in_group": null)"), "n_heads_in_group is not stated"));
    CHECK(refuses(blocks(R"("n_heads_in_group": 4, "window_length": 512)"), "window_length"));
    CHECK(refuses(blocks(R"("n_heads_in_group": 4, "sparsify": ["q_proj"])"), "sparsify"));
    CHECK(refuses(R"("model_type": "nemotron-nas", "block_configs": [], )" + base, "lists 0 layers"));
    CHECK(refuses(R"("model_type": "nemotron-nas", "block_configs": 6, )" + base, "not a list"));
    CHECK(refuses(R"("model_type": "nemotron-nas", )" + base, "differ"));
    CHECK(refuses(R"("my_block_configs": [], )" + base, "looks like block_configs"));
}

TEST_CASE("OpenELM 270M: as many KV heads as each layer lists")
{
    const Geometry g = geometry(
        R"("model_type": "openelm", "model_dim": 1280, "head_dim": 64, "num_gqa_groups": 4, "num_transformer_layers": 16,
        "num_query_heads": [12, 12, 12, 12, 12, 16, 16, 16, 16, 16, 16, 16, 20, 20, 20, 20],
        "num_kv_heads": [3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5])");
    CHECK(bytes_per_token(g, {}) == (5 * 3 + 7 * 4 + 4 * 5) * 2 * 64 * 2);
    CHECK(g.layers_vary());
}

TEST_CASE("classes that share heads by default are not taken for MHA when their file is silent")
{
    for (const std::string family : {"starcoder2", "smollm3", "qwen3_moe", "glm4", "ernie4_5", "seed_oss", "mixtral"}) {
        INFO(family);
        CHECK(refuses(R"("head_dim": 8, "model_type": ")" + family + "\", " + base, "missing"));
    }
    const Geometry nested = geometry(R"("text_config": {"model_type": "glm4", "num_hidden_layers": 3})");
    CHECK(bytes_per_token(nested, {}) == 3 * 2 * 2 * 128 * 2);
}

TEST_CASE("windows that a class has by default are not taken for none when a file is silent")
{
    CHECK(refuses(R"("model_type": "mistral", )" + shared, "sliding_window is not stated"));
    CHECK(geometry(R"("model_type": "mistral", "sliding_window": null, )" + shared).count(Role::sliding) == 0);
    CHECK(refuses(R"("model_type": "qwen2", "use_sliding_window": true, )" + shared, "sliding_window is not stated"));
    CHECK(refuses(
        R"("model_type": "smollm3", "use_sliding_window": true, "max_window_layers": 2, "sliding_window": 4, )" +
            shared,
        "which layers slide"));
}

TEST_CASE("Gemma 3n: every 5th layer sees everything, the last 15 share caches")
{
    const Geometry g = geometry(R"("text_config": {"model_type": "gemma3n_text"})");
    CHECK(g.layers.size() == 35);
    CHECK(g.cache_layers() == 20);
    CHECK(g.count(Role::sliding) == 28);
    CHECK(g.layers[20].shares_with == 18); // the last that slides
    CHECK(g.layers[24].shares_with == 19); // the last that sees everything
    CHECK(bytes_per_token(g, {}) == 20 * 2 * 2 * 256 * 2);
    CHECK(bytes_per_token_beyond_window(g, {}) == 4 * 2 * 2 * 256 * 2);
    CHECK(refuses(R"("model_type": "gemma3n", "sliding_window": 4, "head_dim": 8, )" + shared, "num_kv_shared_layers"));
    CHECK(refuses(R"("text_config": {"model_type": "gemma3n_text", "num_kv_shared_layers": null})", "share caches"));
}
