// headroom generate: text from a model, with any cache or none, and what each step did.
#include "cli/command.h"

#include "cli/model_options.h"
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

struct Settings {
    ModelOptions options;
    SamplingOptions sampling;
    std::vector<std::string> prompts;
    bool stop_at_end = false, json = false;
};

Json to_json(const Model& model, const Generation& result, const std::string& positions)
{
    Json json{{"schema", "headroom.generate/1"}, {"positions", positions}};
    json["tokens"] = result.tokens.front();
    json["text"] = model.tokenizer.decode(result.tokens.front());
    if (result.tokens.size() > 1)
        for (const auto& tokens : result.tokens)
            json["sequences"].push_back({{"tokens", tokens}, {"text", model.tokenizer.decode(tokens)}});
    json["steps"] = Json::array();
    Index number = 0;
    for (const GenerationStep& step : result.steps)
        json["steps"].push_back({{"step", number++},
                                 {"phase", step.prefill ? "prefill" : "decode"},
                                 {"new_tokens", step.new_tokens},
                                 {"past_length", step.past_length},
                                 {"length", step.length},
                                 {"q_shape", step.q_shape},
                                 {"k_shape", step.k_shape},
                                 {"live_bytes", step.bytes.live},
                                 {"reserved_bytes", step.bytes.reserved},
                                 {"copied_bytes", step.bytes.copied},
                                 {"peak_bytes", step.bytes.peak},
                                 {"linear_madds", step.work.linear},
                                 {"attention_madds", step.work.attention},
                                 {"ms", step.ms}});
    return json;
}

int generate_text(const Settings& s)
{
    const Model model = s.options.load();
    GenerationSettings settings = s.options.settings(model);
    s.sampling.write_to(settings);
    settings.stop_at_end = s.stop_at_end;

    std::vector<std::vector<int>> prompts;
    for (const std::string& prompt : s.prompts) prompts.push_back(model.tokenizer.encode(prompt));
    if (prompts.empty()) prompts.push_back(model.tokenizer.encode(""));

    // On a terminal a single text appears as it is made; else all of it at the end, or nothing where something fails.
    const bool live = !s.json && prompts.size() == 1 && isatty(STDOUT_FILENO);
    int before = prompts.front().back();
    bool begun = false;
    settings.on_token = [&](std::size_t, int token) {
        if (!live) return;
        if (!begun) std::cout << model.tokenizer.decode(prompts.front());
        begun = true;
        std::cout << model.tokenizer.decode_one(token, before) << std::flush;
        before = token;
    };
    const Generation result = generate(model.decoder, prompts, settings, s.options.backend());
    if (s.json)
        std::cout << to_json(model, result, s.options.positions).dump(1, ' ', false, Json::error_handler_t::replace)
                  << '\n';
    else if (begun)
        std::cout << '\n';
    else
        for (const auto& tokens : result.tokens) std::cout << model.tokenizer.decode(tokens) << '\n';
    return 0;
}

} // namespace

Action declare_generate(CLI::App& app)
{
    auto s = std::make_shared<Settings>();
    s->options.declare_model(app);
    app.add_option("--prompt", s->prompts, "text to continue; several make a batch; default: none");
    s->sampling.declare_steps(app, "sequence");
    s->options.declare_cache(app);
    s->sampling.declare(app);
    app.add_flag("--stop-at-eos", s->stop_at_end, "a sequence that has made its end token gets no more");
    app.add_flag("--json", s->json, "token ids, and per step shapes, bytes, multiply-adds and time");
    return [s] { return generate_text(*s); };
}

} // namespace headroom
