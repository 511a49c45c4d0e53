// headroom score: how well a model predicts a text, through any cache and storage type.
#include "cli/command.h"

#include "cli/model_options.h"
#include "experiments/storage_scores.h"
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

namespace headroom {
namespace {

struct Settings {
    ModelOptions options;
    std::string text;
    bool json = false;
};

int compare_storage(const Settings& s, const Model& model, const std::vector<int>& tokens)
{
    std::vector<int> calibration;
    if (!s.options.calibration.empty()) calibration = model.tokenizer.encode(s.options.calibration);
    const std::vector<StorageScore> scores =
        storage_scores(model.decoder, tokens, calibration, s.options.settings(model), s.options.backend());
    if (s.json) {
        nlohmann::ordered_json json{{"schema", "headroom.score/1"}, {"tokens", tokens}};
        for (const auto& [error, score] : scores)
            json["storage"].push_back(
                {{"kv_dtype", name(error.type)},
                 {"kv_scale", name(error.scaling)},
                 {"relative_rms_against_f32", {{"k", error.k}, {"v", error.v}, {"output", error.output}}},
                 {"nll", score.nll},
                 {"perplexity", score.perplexity}});
        std::cout << json.dump(1) << '\n';
        return 0;
    }
    fmt::print("{:<8} {:<19} {:>9} {:>9} {:>9} {:>12} {:>9}\n", "dtype", "scales", "K", "V", "output", "perplexity",
               "change");
    for (const auto& [error, score] : scores)
        fmt::print("{:<8} {:<19} {:>9.1e} {:>9.1e} {:>9.1e} {:>12.6f} {:>8.4f}%\n", name(error.type),
                   name(error.scaling), error.k, error.v, error.output, score.perplexity,
                   100 * (score.perplexity / scores.front().score.perplexity - 1));
    fmt::print("K, V, output: relative RMS error against f32 storage, of standard normal numbers{}\n",
               calibration.empty() ? "; static scales: say --calibrate TEXT" : "");
    return 0;
}

int score_text(const Settings& s)
{
    const Model model = s.options.load();
    const std::vector<int> tokens = model.tokenizer.encode(s.text);
    if (s.options.every_storage) return compare_storage(s, model, tokens);
    const Score result = score(model.decoder, tokens, s.options.settings(model), s.options.backend());
    if (s.json) {
        const nlohmann::ordered_json json{
            {"schema", "headroom.score/1"}, {"tokens", tokens}, {"nll", result.nll}, {"perplexity", result.perplexity}};
        std::cout << json.dump(1) << '\n';
    } else {
        fmt::print("{} tokens predicted, nll {:.4f} (natural logarithm, summed), perplexity {:.4f}\n", result.predicted,
                   result.nll, result.perplexity);
    }
    return 0;
}

} // namespace

Action declare_score(CLI::App& app)
{
    auto s = std::make_shared<Settings>();
    s->options.declare_model(app);
    app.add_option("--text", s->text, "the text to predict")->required();
    s->options.declare_cache(app);
    CLI::Option* storage =
        app.add_flag("--storage", s->options.every_storage, "through every storage type, each with its own error");
    for (const char* chosen : {"--kv-dtype", "--kv-scale", "--no-cache"}) storage->excludes(app.get_option(chosen));
    app.add_flag("--json", s->json, "token ids, nll and perplexity");
    return [s] { return score_text(*s); };
}

} // namespace headroom
