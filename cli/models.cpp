// headroom models: what sharing heads costs in quality and saves in bytes, measured on the models that come with the program.
#include "cli/command.h"

#include "cli/terminal.h"
#include "cli/text.h"
#include "experiments/shipped_models.h"
#include <algorithm>
#include <fmt/format.h>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace headroom {
namespace {

struct Settings {
    std::vector<std::string> names;
    Index stories = 64;
    bool json = false;
};

// One thread per model: each is small, and they share nothing.
std::vector<ShippedModel> measure_all(const std::vector<std::string>& names, const HeldOut& text)
{
    std::vector<std::future<ShippedModel>> runs;
    for (const std::string& name : names)
        runs.push_back(std::async(std::launch::async, [&name, &text] { return measure(name, text); }));
    std::vector<ShippedModel> models;
    for (auto& run : runs) models.push_back(run.get());
    return models;
}

nlohmann::ordered_json json_of(const TrainingFacts& t)
{
    return {{"origin", t.origin},         {"seed", t.seed},    {"steps", t.steps}, {"tokens", t.tokens},
            {"perplexity", t.perplexity}, {"recall", t.recall}};
}

void print_json(const std::vector<ShippedModel>& models, const HeldOut& text)
{
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const ShippedModel& m : models)
        rows.push_back({{"name", m.name},
                        {"kind", sharing(m.config)},
                        {"q_heads", m.config.q_heads},
                        {"kv_heads", m.config.kv_heads},
                        {"hidden", m.config.hidden},
                        {"parameters", m.parameters},
                        {"file_bytes", m.file_bytes},
                        {"cache_bytes_per_token", m.cache_bytes_per_token},
                        {"predicted_tokens", m.predicted},
                        {"nll", m.nll},
                        {"perplexity", m.perplexity},
                        {"training", m.training ? json_of(*m.training) : nlohmann::ordered_json()}});
    const nlohmann::ordered_json document{
        {"schema", "headroom.models/1"}, {"stories", text.stories.size()}, {"models", std::move(rows)}};
    fmt::print("{}\n", document.dump(2));
}

void print_table(const std::vector<ShippedModel>& models, const HeldOut& text)
{
    const Terminal out;
    fmt::print("{:<15} {:>8} {:>10} {:>15} {:>11} {:>11} {:>9}  {}\n", "model", "KV heads", "weights",
               "cache B / token", "perplexity", "at training", "names", "came about as");
    for (const ShippedModel& m : models)
        fmt::print("{} {:>8} {:>10} {:>15} {:>11.4f} {:>11} {:>9}  {}\n", out.strong(pad_right(m.name, 15)),
                   m.config.kv_heads, count_text(m.parameters), m.cache_bytes_per_token, m.perplexity,
                   m.training ? fmt::format("{:.4f}", m.training->perplexity) : "-",
                   m.training ? fmt::format("{:.1f}%", 100 * m.training->recall) : "-",
                   m.training ? m.training->origin : "its file does not say");
    fmt::print("\n{}\n",
               out.dim(fmt::format(
                   "Perplexity: computed now in double on {} of the held-out stories; at training: by the training "
                   "framework on all 64.\nNames: of the names that a story has told before, the share that "
                   "the model guesses (measured at training).\nCache: f16. One seed each; what differs by "
                   "less than the seeds do is in models/README.md.",
                   text.stories.size())));
}

int models(Settings& s)
{
    std::ranges::replace(s.names, std::string("gqa"), std::string("gqa4"));
    for (const std::string& name : s.names) // the others need not even be readable
        if (!is_shipped(name))
            throw std::invalid_argument("no model called '" + name +
                                        "' comes with the program; 'headroom models' lists those that do");
    const HeldOut text = held_out(s.stories);
    const std::vector<ShippedModel> measured = measure_all(s.names.empty() ? shipped_models() : s.names, text);
    if (s.json)
        print_json(measured, text);
    else
        print_table(measured, text);
    return 0;
}

} // namespace

Action declare_models(CLI::App& app)
{
    auto s = std::make_shared<Settings>();
    app.add_option("names", s->names, "which; default: all");
    app.add_option("--stories", s->stories, "how many of the 64 held-out stories to read")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    app.add_flag("--json", s->json, "headroom.models/1 on stdout");
    return [s] { return models(*s); };
}

} // namespace headroom
