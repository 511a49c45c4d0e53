#include "reference/planning/advice.h"
#include "reference/planning/lenient_json.h"
#include "reference/planning/model.h"
#include "tests/planning/config_index.h"
#include "tests/support/catch.h"
#include <map>

using namespace headroom;

namespace {

// How the published table names a file's weight format.
std::string stored_as(const std::filesystem::path& config)
{
    const nlohmann::json file = parse_lenient_json(file_text(config));
    if (file.contains("quantization_config")) return file["quantization_config"]["quant_method"];
    const std::map<std::string, std::string> names{{"bfloat16", "bf16"}, {"float16", "f16"}, {"float32", "f32"}};
    return names.at(file["torch_dtype"]);
}

} // namespace

TEST_CASE("parameters of published models are counted exactly")
{
    // The model card states it (GPT-NeoX 20B, StableLM 3B) or it is what others counted in the published checkpoint: the
    // Hub's safetensors metadata, GGUF's general.parameter_count, or the sum over model.parameters(). Aya 23 8B: the
    // count of Aya Expanse 8B, whose config has the same matrices. DeepSeek V3: without the module that predicts further
    // tokens. Llama 2 70B: without the 80 x 64 frequencies that its first checkpoints store beside the weights.
    const std::map<std::string, Index> published{{"llama-7b", 6738415616},
                                                 {"llama-2-70b-chat", 68976648192},
                                                 {"llama-3-8b-instruct", 8030261248},
                                                 {"llama-3.1-405b", 405853388800},
                                                 {"llama-3.2-1b", 1235814400},
                                                 {"mistral-7b-instruct-v0.2", 7241732096},
                                                 {"mixtral-8x7b-v0.1", 46702792704},
                                                 {"qwen1.5-1.8b-chat", 1836828672},
                                                 {"qwen2.5-7b-class", 7615616512},
                                                 {"qwen3-0.6b", 596049920},
                                                 {"qwen3-32b", 32762123264},
                                                 {"gemma-2b", 2506172416},
                                                 {"gemma-2-2b", 2614341888},
                                                 {"gemma-3-1b-it", 999885952},
                                                 {"phi-2-msft", 2779683840},
                                                 {"phi-3-mini-4k-instruct", 3821079552},
                                                 {"gpt2", 124439808},
                                                 {"gpt-neox-20b", 20554567680},
                                                 {"gpt-j-6b", 6050882784},
                                                 {"bloom-176b", 176247271424},
                                                 {"opt-350m", 331196416},
                                                 {"chatglm2-6b", 6243584000},
                                                 {"deepseek-v2-lite", 15706484224},
                                                 {"deepseek-v3", 671026419200},
                                                 {"aya-23-8b", 8028033024},
                                                 {"olmo-2-7b", 7298617344},
                                                 {"stablelm-3b", 2795443200},
                                                 {"smollm2-135m", 134515008},
                                                 {"tinyllama-1.1b-chat", 1100048384},
                                                 {"gpt-oss-20b", 20914757184},
                                                 {"yi-34b", 34388917248},
                                                 {"internlm2-7b", 7737708544},
                                                 {"qwen-72b-chat", 72287920128}};
    std::size_t compared = 0;
    for (const IndexRow& row : config_index()) {
        INFO(row.name());
        const Parameters p = read_model(row.config()).parameters;
        CHECK((p.total.has_value() || !p.reason.empty()));
        if (published.contains(row.name())) {
            CHECK(p.total == published.at(row.name()));
            ++compared;
        }
        if (p.total) CHECK(p.active <= *p.total);
    }
    CHECK((compared == 0 || compared == published.size()));
}

TEST_CASE("parameters of models without a published count are the sum of their matrices")
{
    // E model width, V rows of the embedding, L layers; written out from the models' own code.
    const auto falcon = [](Index V, Index E, Index L, Index qkv_heads, Index norms) {
        const Index attention = E * qkv_heads * 64 + E * E,
                    mlp = 2 * E * 4 * E;                              // q, k and v together, output; no biases
        return V * E + L * (attention + mlp + norms * 2 * E) + 2 * E; // each norm a weight and a bias
    };
    // 71 query heads, one K, one V, one norm. Its checkpoint holds 7,217,189,760: the tied output is stored again.
    const Index falcon_7b = falcon(65024, 4544, 32, 71 + 2, 1);
    CHECK(falcon_7b + Index{65024} * 4544 == 7217189760);
    const Index E = 4096;
    const std::map<std::string, Index> sums{
        {"falcon-7b", falcon_7b},
        {"falcon-40b", falcon(65024, 8192, 60, 128 + 2 * 8, 2)}, // 128 query heads, 8 K, 8 V, two norms
        // MPT: fused q, k, v and the output, a plain feed-forward of 4 E, two norms without bias, ALiBi, tied output.
        {"mpt-7b-instruct", 50432 * E + 32 * (4 * E * E + 2 * E * 4 * E + 2 * E) + E},
        // Baichuan 2: fused q, k, v and the output, a gated feed-forward, two norms, an output matrix of its own.
        {"baichuan2-7b", 2 * 125696 * E + 32 * (4 * E * E + 3 * E * 11008 + 2 * E) + E}};
    for (const IndexRow& row : config_index())
        if (sums.contains(row.name())) {
            INFO(row.name());
            CHECK(read_model(row.config()).parameters.total == sums.at(row.name()));
        }
}

TEST_CASE("a token visits the chosen experts only")
{
    for (const IndexRow& row : config_index())
        if (row.name() == "mixtral-8x7b-v0.1") {
            const Parameters p = read_model(row.config()).parameters;
            CHECK(*p.total - p.active ==
                  Index{32} * 6 * 3 * 4096 * 14336 + Index{32000} * 4096); // 6 of 8 experts, one embedding
        }
}

TEST_CASE("what cannot be counted says why")
{
    const auto reason = [](const std::string& more) {
        const Parameters p =
            model_from_text(
                R"({"hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 4, "num_hidden_layers": 2)" +
                more + "}")
                .parameters;
        CHECK_FALSE(p.total.has_value());
        return p.reason;
    };
    CHECK(reason(R"(, "model_type": "unheard_of")").find("unheardof") != std::string::npos);
    CHECK(reason(R"(, "model_type": "llama", "vocab_size": 100)").find("intermediate_size") != std::string::npos);
    CHECK(reason(R"(, "model_type": "llama", "intermediate_size": 100)").find("vocab_size") != std::string::npos);
    CHECK(reason(R"(, "model_type": "llama", "vision_config": {})").find("more than a text decoder") !=
          std::string::npos);
}

TEST_CASE("a small model of each part adds up by hand")
{
    const Parameters p =
        model_from_text(R"({"model_type": "llama", "hidden_size": 8, "num_attention_heads": 2, "num_key_value_heads": 1,
        "num_hidden_layers": 3, "intermediate_size": 16, "vocab_size": 10, "tie_word_embeddings": false})")
            .parameters;
    const Index attention = 8 * 8 + 2 * 8 * 4 + 8 * 8, mlp = 3 * 8 * 16, norms = 2 * 8;
    CHECK(p.total == 10 * 8 + 3 * (attention + mlp + norms) + 8 + 10 * 8);
    CHECK(p.active == *p.total - 10 * 8);
}

TEST_CASE("the advice's table of published models agrees with their config files")
{
    const std::map<std::string_view, std::string> files{{"SmolLM2 135M", "smollm2-135m"},
                                                        {"Qwen3 0.6B", "qwen3-0.6b"},
                                                        {"Gemma 3 1B", "gemma-3-1b-it"},
                                                        {"TinyLlama 1.1B", "tinyllama-1.1b-chat"},
                                                        {"Llama 3.2 1B", "llama-3.2-1b"},
                                                        {"Gemma 2 2B", "gemma-2-2b"},
                                                        {"Phi-3 mini", "phi-3-mini-4k-instruct"},
                                                        {"ChatGLM2 6B", "chatglm2-6b"},
                                                        {"Falcon 7B", "falcon-7b"},
                                                        {"Mistral 7B", "mistral-7b-instruct-v0.2"},
                                                        {"OLMo 2 7B", "olmo-2-7b"},
                                                        {"Qwen2.5 7B", "qwen2.5-7b-class"},
                                                        {"Llama 3 8B", "llama-3-8b-instruct"},
                                                        {"StarChat beta", "starchat-beta"},
                                                        {"gpt-oss 20B", "gpt-oss-20b"},
                                                        {"Qwen3 32B", "qwen3-32b"},
                                                        {"Yi 34B", "yi-34b"},
                                                        {"Falcon 40B", "falcon-40b"},
                                                        {"Mixtral 8x7B", "mixtral-8x7b-v0.1"},
                                                        {"Llama 2 70B", "llama-2-70b-chat"},
                                                        {"Llama 3.1 405B", "llama-3.1-405b"},
                                                        {"DeepSeek V3", "deepseek-v3"}};
    // SmolLM2 360M, Qwen2.5 0.5B and Qwen2.5 1.5B are not among the shared files.
    CHECK(files.size() + 3 == published_models().size());
    const auto rows = config_index();
    if (rows.empty()) return;
    for (const PublishedModel& model : published_models()) {
        if (!files.contains(model.name)) continue;
        INFO(model.name);
        for (const IndexRow& row : rows) {
            if (row.name() != files.at(model.name)) continue;
            const ModelFacts read = read_model(row.config());
            const bool latent = read.geometry.is_latent();
            const LayerGeometry& layer = read.geometry.layers.front();
            CHECK(read.geometry.q_heads == model.q_heads);
            CHECK((latent ? 0 : layer.kv_heads) == model.kv_heads);
            CHECK((latent ? read.geometry.latent.nope : layer.head_dim) == model.head_dim);
            CHECK(stored_as(row.config()) == model.stored_as);
            CHECK(*read.parameters.total / 1000000 == model.million_parameters);
        }
    }
}

TEST_CASE("every size class has published models, the article's row, and advice with a reason")
{
    for (const SizeClass& size : size_classes()) {
        INFO(size.name);
        const ClassSummary summary = summarise(size);
        CHECK(summary.models.size() >= 4);
        CHECK(summary.within_article <= static_cast<Index>(summary.models.size()));
        CHECK_FALSE(size.reason.empty());
    }
    CHECK(size_class(999'999'999).name == "below 1B");
    CHECK(size_class(1'000'000'000).name == "1B to 10B");
    CHECK(size_class(10'000'000'000).name == "above 10B");
}
