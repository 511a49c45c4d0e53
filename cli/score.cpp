// headroom score: how well a model predicts a text, through any cache and storage type.
#include "cli/command.h"

#include "cli/model_options.h"
#include "reference/decoder/score.h"
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

int score_text(const Settings& s)
{
    const Model model = s.options.load();
    const std::vector<int> tokens = model.tokenizer.encode(s.text);
    const Score result = score(model.decoder, tokens, s.options.settings(model.decoder.config), s.options.backend());
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
    app.add_flag("--json", s->json, "token ids, nll and perplexity");
    return [s] { return score_text(*s); };
}

} // namespace headroom
