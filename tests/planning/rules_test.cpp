// One small config per rule, written for this test: the ways in which families state their cache.
#include "reference/planning/kv_bytes.h"
#include "reference/planning/model.h"
#include "tests/support/catch.h"
#include <fmt/format.h>

using namespace headroom;

namespace {

Geometry geometry(const std::string& members) { return model_from_text("{" + members + "}").geometry; }
const std::string base = R"("hidden_size": 64, "num_attention_heads": 8, "num_hidden_layers": 6)"; // head_dim 8
const std::string shared = base + R"(, "num_key_value_heads": 2)"; // 64 bytes a layer and token
const std::string alone = base + R"(, "model_type": "gpt_neox")";  // a class that never shares heads

Index per_token(const std::string& members) { return bytes_per_token(geometry(members), {}); }
std::string refusal(const std::string& members)
{
    try {
        geometry(members);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}
bool refuses(const std::string& members, const std::string& word)
{
    return refusal(members).find(word) != std::string::npos;
}

std::vector<Index> windows(const Geometry& g)
{
    std::vector<Index> list;
    for (const LayerGeometry& layer : g.layers) list.push_back(layer.role == Role::sliding ? layer.window : 0);
    return list;
}
std::vector<bool> owners(const Geometry& g)
{
    std::vector<bool> list;
    for (const LayerGeometry& layer : g.layers) list.push_back(layer.owns_cache());
    return list;
}

} // namespace

TEST_CASE("heads: MHA, GQA and MQA are told apart")
{
    CHECK(geometry(alone).kind == "MHA");
    CHECK(geometry(shared).kind == "GQA");
    CHECK(geometry(base + R"(, "num_key_value_heads": 1)").kind == "MQA");
    CHECK(per_token(alone) == 6 * 2 * 8 * 8 * 2);
    CHECK(per_token(shared) == 6 * 64);
    CHECK(refuses(base + R"(, "num_key_value_heads": 3)", "evenly"));
    CHECK(refuses(base + R"(, "num_key_value_heads": 16)", "evenly"));
}

TEST_CASE("heads: other families' names and nested parts")
{
    CHECK(per_token(R"("model_type": "gpt2", "n_embd": 64, "n_head": 8, "n_layer": 6)") == per_token(alone));
    CHECK(per_token(R"("d_model": 64, "n_heads": 8, "n_layers": 6, "attn_config": {"kv_n_heads": 2})") ==
          per_token(shared));
    CHECK(per_token(R"("dim": 64, "n_heads": 8, "n_layers": 6, "n_kv_heads": 2)") == per_token(shared));
    for (const char* part : {"text_config", "llm_config", "language_config", "decoder"})
        CHECK(per_token(fmt::format(R"("{}": {{{}}}, "vision_config": {{"num_hidden_layers": 3}})", part, shared)) ==
              per_token(shared));
    CHECK(per_token(R"("thinker_config": {"text_config": {)" + shared + "}}") == per_token(shared));
    CHECK(refuses(R"("num_hidden_layers": 7, "text_config": {)" + shared + "}", "contradicts"));
    CHECK(refuses(shared + R"(, "num_kv_heads": 4)", "contradicts"));
    CHECK(refuses(R"("text_configs": {)" + shared + "}", "looks like"));
}

TEST_CASE("heads: multi-query flags")
{
    CHECK(geometry(R"("model_type": "gpt_bigcode", "multi_query": true, )" + base).kind == "MQA");
    CHECK(geometry(R"("model_type": "gpt_bigcode", "multi_query": false, )" + base).kind == "MHA");
    CHECK(geometry(
              R"("model_type": "falcon", "multi_query": true, "new_decoder_architecture": false, "num_kv_heads": 8, )" +
              base)
              .kind == "MQA");
    CHECK(geometry(
              R"("model_type": "falcon", "multi_query": true, "new_decoder_architecture": true, "num_kv_heads": 2, )" +
              base)
              .kind == "GQA");
    CHECK(
        geometry(R"("model_type": "falcon", "multi_query": false, "new_decoder_architecture": false, )" + base).kind ==
        "MHA");
    CHECK(refuses(R"("model_type": "falcon", )" + base, "Falcon"));
    CHECK(geometry(R"("attn_config": {"attn_type": "multiquery_attention"}, )" + base).kind == "MQA");
    CHECK(refuses(R"("attn_config": {"attn_type": "grouped_query_attention"}, )" + base, "kv_n_heads"));
    CHECK(refuses(R"("model_type": "chatglm", "multi_query_attention": true, )" + base, "multi_query_group_num"));
    CHECK(geometry(R"("model_type": "chatglm", )" + base).kind == "MHA");
}

TEST_CASE("heads: silence means MHA only where the class says so")
{
    CHECK(geometry(R"("model_type": "llama", "transformers_version": "4.28.1", )" + base).kind == "MHA");
    for (const std::string version : {"4.31.0", "4.40.0", "5.0", "9999999999999999.1", "4", "main", "", "4.x"})
        CHECK(refuses(R"("model_type": "llama", "transformers_version": ")" + version + "\", " + base, "missing"));
    CHECK(refuses(R"("model_type": "llama", "transformers_version": "4.40.0", "num_key_value_heads": null, )" + base,
                  "null"));
    CHECK(refuses(R"("model_type": "mistral", )" + base, "missing"));
    CHECK(geometry(R"("model_type": "phi", "transformers_version": "4.37.0", "num_key_value_heads": null, )" + base)
              .kind == "MHA");
    CHECK(geometry(R"("model_type": "opt", "transformers_version": "4.50.0", )" + base).kind == "MHA");
}

TEST_CASE("heads: silence of a class that is not known is refused, not taken for MHA")
{
    CHECK(refuses(base, "neither model_type nor architectures names a class"));
    CHECK(refuses(R"("num_key_value_heads": null, )" + base, "num_key_value_heads is null"));
    CHECK(refuses(R"("model_type": "brand_new", )" + base, "what the class 'brandnew' means by that is not known"));
    CHECK(refuses(R"("text_config": {"model_type": "brand_new", )" + base + "}", "'brandnew'"));
    CHECK(refuses(R"("model_type": "brand_new", "multi_query_attention": null, )" + base, "true or false"));
    CHECK(geometry(R"("model_type": "hf_olmo", "multi_query_attention": false, "n_kv_heads": null, )" + base).kind ==
          "MHA");
    CHECK(geometry(R"("model_type": "brand_new", )" + shared).kind == "GQA");
    const Geometry old = geometry(R"("model_type": "llama", "transformers_version": "4.28.1", )" + base);
    CHECK(old.derivation[3].find("that is the default of the class llama") != std::string::npos);
}

TEST_CASE("heads: a number for each layer")
{
    const Geometry g = geometry(
        R"("model_dim": 64, "head_dim": 8, "num_transformer_layers": 3, "num_query_heads": [4, 8, 8], "num_kv_heads": [1, 2, 4])");
    CHECK(bytes_per_token(g, {}) == 7 * 2 * 8 * 2);
    CHECK(g.layers_vary());
    CHECK(g.q_heads == 8);
    CHECK(g.kind == "GQA");
    CHECK(per_token(base + R"(, "num_key_value_heads_per_layer": [1, 1, 2, 2, 4, 8])") == 18 * 2 * 8 * 2);
    CHECK(refuses(base + R"(, "num_key_value_heads": [1, 2])", "lists 2 layers"));
}

TEST_CASE("widths: stated, by class, or divided")
{
    CHECK(per_token(shared + R"(, "head_dim": 16)") == 2 * per_token(shared));
    CHECK(per_token(shared + R"(, "head_dim": null)") == per_token(shared));
    CHECK(per_token(R"("model_type": "gemma", )" + shared) == 32 * per_token(shared)); // 256 by the class
    CHECK(refuses(R"("model_type": "gemma", "head_dim": null, )" + shared, "needs a number"));
    CHECK(per_token(shared + R"(, "head_dim": 24, "v_head_dim": 16)") == 6 * 2 * (24 + 16) * 2);
    CHECK(refuses(R"("hidden_size": 65, "num_attention_heads": 8, "num_hidden_layers": 6)", "multiple"));
    CHECK(per_token(R"("head_dim": 8, "num_attention_heads": 8, "num_hidden_layers": 6, "num_key_value_heads": 2)") ==
          per_token(shared));
}

TEST_CASE("windows: which layers slide")
{
    const std::string w = R"(, "sliding_window": 4)";
    CHECK(windows(geometry(R"("model_type": "mistral", )" + shared + w)) == std::vector<Index>{4, 4, 4, 4, 4, 4});
    CHECK(windows(geometry(R"("model_type": "mistral", "sliding_window": null, )" + shared)) ==
          std::vector<Index>(6, 0));
    CHECK(windows(geometry(R"("model_type": "gemma2", )" + shared + w)) == std::vector<Index>{4, 0, 4, 0, 4, 0});
    CHECK(windows(geometry(R"("model_type": "gemma3", )" + shared + w)) == std::vector<Index>{4, 4, 4, 4, 4, 0});
    CHECK(windows(geometry(R"("model_type": "gemma3", "sliding_window_pattern": 2, )" + shared + w)) ==
          std::vector<Index>{4, 0, 4, 0, 4, 0});
    CHECK(windows(geometry(R"("model_type": "cohere2", )" + shared + w)) == std::vector<Index>{4, 4, 4, 0, 4, 4});
    CHECK(windows(geometry(R"("sliding_window_pattern": "LLG", )" + shared + w)) ==
          std::vector<Index>{4, 4, 0, 4, 4, 0});
    CHECK(windows(geometry(R"("model_type": "qwen2", "use_sliding_window": false, "max_window_layers": 4, )" + shared +
                           w)) == std::vector<Index>(6, 0));
    CHECK(windows(geometry(R"("model_type": "qwen2", "use_sliding_window": true, "max_window_layers": 4, )" + shared +
                           w)) == std::vector<Index>{0, 0, 0, 0, 4, 4});
    CHECK(
        windows(geometry(
            R"("layer_types": ["full_attention", "sliding_attention", "full_attention", "full_attention", "sliding_attention", "full_attention"], )" +
            shared + w)) == std::vector<Index>{0, 4, 0, 0, 4, 0});
    CHECK(refuses(R"("model_type": "unheard_of", )" + shared + w, "which layers slide"));
    CHECK(refuses(R"("model_type": "gemma2", )" + shared, "sliding_window"));
    CHECK(refuses(R"("layer_types": ["full_attention"], )" + shared, "lists 1 layers"));
    CHECK(refuses(R"("layer_types": ["a", "a", "a", "a", "a", "a"], )" + shared, "not known"));
}

TEST_CASE("windows: attention in chunks is counted in full, and what evicting saves is a second number")
{
    const Geometry g = geometry(R"("model_type": "llama4", "head_dim": 8, "attention_chunk_size": 4, )" + shared);
    CHECK(g.count(Role::chunked) == 5);
    KvSettings s;
    CHECK(kv_bytes(g, s, 100, 1) == 100 * 384);
    CHECK(bytes_per_token_beyond_window(g, s) == 384);
    s.eviction = Eviction::windows_and_chunks;
    CHECK(kv_bytes(g, s, 100, 1) == 100 * 64 + 4 * 5 * 64);
    CHECK(bytes_per_token_beyond_window(g, s) == 64);
}

TEST_CASE("latent attention keeps one vector, whatever num_key_value_heads says")
{
    const std::string mla =
        shared + R"(, "kv_lora_rank": 32, "qk_rope_head_dim": 4, "qk_nope_head_dim": 8, "v_head_dim": 6)";
    const Geometry g = geometry(mla);
    CHECK(g.kind == "MLA");
    CHECK(bytes_per_token(g, {}) == 6 * 36 * 2);
    CHECK(bytes_per_token_expanded(g, {}) == 6 * 8 * (12 + 6) * 2);
    KvSettings ranks;
    ranks.ranks = 4; // every rank keeps the vector
    CHECK(bytes_per_token(g, ranks) == 6 * 36 * 2);
    CHECK(refuses(shared + R"(, "qk_rope_head_dim": 4, "qk_nope_head_dim": 8, "v_head_dim": 6)", "kv_lora_rank"));
    CHECK(refuses(shared + R"(, "kv_lora_rank": 32, "qk_rope_head_dim": 4, "v_head_dim": 6)", "qk_nope_head_dim"));
}

TEST_CASE("hybrids: only layers that attend own a cache")
{
    const auto attending = [](const std::string& more) { return geometry(shared + more).attention_layers(); };
    CHECK(attending(R"(, "attn_layer_period": 3, "attn_layer_offset": 1)") == 2);
    CHECK(attending(R"(, "hybrid_override_pattern": "M-M*-M")") == 1);
    CHECK(attending(R"(, "layers_block_type": ["mamba", "hybrid", "mamba", "mamba", "hybrid", "mamba"])") == 2);
    CHECK(attending(R"(, "attn_layer_indices": [2, 5])") == 2);
    CHECK(attending(R"(, "full_attention_interval": 4)") == 1);
    CHECK(attending(R"(, "attn_type_list": [0, 0, 1, 0, 0, 1])") == 2);
    CHECK(attending(R"(, "linear_attn_config": {"full_attn_layers": [3, 6]})") == 2);
    const Geometry blocks = geometry(
        R"("model_type": "recurrent_gemma", "head_dim": 8, "block_types": ["recurrent", "recurrent", "attention"], "attention_window_size": 4, )" +
        shared);
    CHECK(windows(blocks) == std::vector<Index>{0, 0, 4, 0, 0, 4});
    CHECK(blocks.kind == "hybrid");
    CHECK(refuses(R"("model_type": "jamba", )" + shared, "which"));
    CHECK(refuses(R"("mamba_d_state": 16, )" + shared, "which"));
    CHECK(refuses(shared + R"(, "attn_layer_period": 3)", "belong together"));
    CHECK(refuses(shared + R"(, "hybrid_override_pattern": "M-M*")", "lists 4 layers"));
    CHECK(geometry(R"("model_type": "mamba", "num_hidden_layers": 6)").kind == "none");
    CHECK(geometry(R"("model_type": "bert", )" + base).kind == "none");
}

TEST_CASE("sharing: some layers read another layer's cache")
{
    const Geometry last = geometry(R"("num_kv_shared_layers": 2, )" + shared);
    CHECK(owners(last) == std::vector<bool>{true, true, true, true, false, false});
    CHECK(last.attention_layers() == 6);
    CHECK(bytes_per_token(last, {}) == 4 * 64);
    CHECK(read_bytes(last, {}, 10) == 10 * 6 * 64); // but all six read
    CHECK(owners(geometry(R"("use_cla": true, "cla_share_factor": 2, )" + shared)) ==
          std::vector<bool>{true, false, true, false, true, false});
    CHECK(refuses(R"("num_kv_shared_layers": 6, )" + shared, "no layer"));
}

TEST_CASE("cross-attention: fixed per sequence")
{
    const Geometry image =
        geometry(R"("model_type": "mllama_text_model", "cross_attention_layers": [1, 4], )" + shared);
    CHECK(bytes_per_token(image, {}) == 4 * 64);
    KvSettings s;
    s.source_tokens = 100;
    CHECK(fixed_bytes(image, s) == 2 * 64 * 100);
    CHECK(kv_bytes(image, s, 10, 3) == 3 * (10 * 4 * 64 + 2 * 64 * 100));
    CHECK(refuses(R"("model_type": "mllama_text_model", )" + shared, "cross_attention_layers"));
    const Geometry t5 = geometry(
        R"("model_type": "t5", "d_model": 64, "d_kv": 4, "num_heads": 8, "num_layers": 6, "num_decoder_layers": 3)");
    CHECK(bytes_per_token(t5, {}) == 3 * 2 * 8 * 4 * 2);
    CHECK(source_token_bytes(t5, {}) == 3 * 2 * 8 * 4 * 2);
    CHECK(refuses(R"("model_type": "t5", "d_model": 64, "num_heads": 8, "num_layers": 6)", "d_kv"));
    const Geometry speech = geometry(
        R"("model_type": "whisper", "d_model": 64, "decoder_layers": 2, "decoder_attention_heads": 8, "encoder_layers": 9, "num_hidden_layers": 9,
        "max_source_positions": 50, "num_mel_bins": 80)");
    CHECK(fixed_bytes(speech, {}) == 50 * 2 * 2 * 64 * 2);
}

TEST_CASE("nested parts leave out what equals the class's default")
{
    const Geometry llava =
        geometry(R"("model_type": "llava", "text_config": {"model_type": "llama", "vocab_size": 32064})");
    CHECK(bytes_per_token(llava, {}) == 524288);
    const Geometry mistral =
        geometry(R"("text_config": {"model_type": "mistral", "num_key_value_heads": 8, "sliding_window": null})");
    CHECK(bytes_per_token(mistral, {}) == 131072);
    const Geometry gemma = geometry(
        R"("text_config": {"model_type": "gemma3_text", "hidden_size": 2560, "num_hidden_layers": 34, "sliding_window": 1024})");
    CHECK(bytes_per_token(gemma, {}) == 34 * 2 * 4 * 256 * 2);
    CHECK(bytes_per_token_beyond_window(gemma, {}) == 5 * 2 * 4 * 256 * 2);
    CHECK(refuses(R"("model_type": "llama", "vocab_size": 32064)", "layers is not stated"));
    CHECK(refuses(R"("text_config": {"model_type": "llama", "num_hidden_layers": null})", "layers is not stated"));
}
