#include "experiments/shipped_models.h"

#include "reference/attention/online.h"
#include "reference/decoder/checkpoint.h"
#include "reference/decoder/score.h"
#include "reference/kv_cache/layer_store.h"
#include "reference/tensor/safetensors.h"
#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>

namespace headroom {
namespace {

namespace fs = std::filesystem;

fs::path file_of(const std::string& name) { return models_folder() / (name + ".safetensors"); }

std::optional<TrainingFacts> training_facts(const NamedTensors& file, const fs::path& path)
{
    const auto found = file.metadata.find("headroom.training");
    if (found == file.metadata.end()) return {};
    try {
        const auto json = nlohmann::json::parse(found->second);
        return TrainingFacts{json.at("origin"),
                             json.at("seed"),
                             json.at("steps"),
                             json.at("tokens"),
                             json.at("heldout_perplexity"),
                             json.at("heldout_recall")};
    } catch (const nlohmann::json::exception& error) {
        throw std::invalid_argument(path.string() +
                                    ": its metadata 'headroom.training' cannot be read: " + error.what());
    }
}

} // namespace

std::vector<std::string> shipped_models()
{
    const fs::path folder = models_folder();
    std::vector<std::tuple<bool, Index, std::string>> found;
    if (!folder.empty())
        for (const fs::directory_entry& entry : fs::directory_iterator(folder))
            if (entry.path().extension() == ".safetensors") {
                const std::string name = entry.path().stem().string();
                const Index kv_heads = read_checkpoint(entry.path()).decoder.config.kv_heads;
                found.emplace_back(name.find('-') != std::string::npos, -kv_heads, name);
            }
    if (found.empty())
        throw std::invalid_argument("no models come with this program: models/README.md says how they are made");
    std::sort(found.begin(), found.end());
    std::vector<std::string> names;
    for (const auto& [derived, heads, name] : found) names.push_back(name);
    return names;
}

bool is_shipped(const std::string& name)
{
    std::error_code ignored;
    return name.find('/') == std::string::npos && !models_folder().empty() && fs::exists(file_of(name), ignored);
}

HeldOut held_out(Index stories)
{
    const fs::path path = models_folder() / "heldout.txt";
    std::ifstream file(path);
    HeldOut text;
    std::string line;
    while (static_cast<Index>(text.stories.size()) < stories && std::getline(file, line)) text.stories.push_back(line);
    if (text.stories.empty()) throw std::invalid_argument("no stories to read in " + path.string());
    return text;
}

ShippedModel measure(const std::string& name, const HeldOut& text)
{
    const Model model = builtin_model(name);
    ShippedModel result;
    result.name = name;
    result.config = model.decoder.config;
    const NamedTensors file = read_safetensors(file_of(name));
    result.training = training_facts(file, file_of(name));
    result.file_bytes = static_cast<Index>(fs::file_size(file_of(name)));
    result.parameters = parameters(result.config, model.decoder.classifier.empty());
    const KvGeometry cache = cache_geometry(result.config, 1, DType::f16);
    result.cache_bytes_per_token = cache.layers * bytes_per_token(cache);

    Backend backend = reference_backend();
    backend.attention = [](const AttentionProblem& problem) { return online_attention(problem); }; // keeps no stages
    double nll = 0;
    for (const std::string& story : text.stories) {
        std::vector<int> ids = model.tokenizer.encode(story);
        ids.push_back(Tokenizer::end);
        const Score one = score(model.decoder, ids, {.cache = std::nullopt}, backend);
        nll += one.nll;
        result.predicted += one.predicted;
    }
    result.nll = nll / static_cast<double>(result.predicted);
    result.perplexity = std::exp(result.nll);
    return result;
}

} // namespace headroom
