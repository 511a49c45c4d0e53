// headroom convert: a checkpoint with fewer KV heads, each the mean of those it replaces.
#include "cli/command.h"

#include "experiments/conversion.h"
#include "reference/tensor/files.h"
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

namespace headroom {
namespace {

struct Settings {
    std::string in, out, tokenizer,
        text = "One day, a little girl found a red ball in the park. She was happy and showed it to her mom.";
    Index kv_heads = 1;
    bool json = false;
};

int convert(const Settings& s)
{
    refuse_overwriting(s.in, s.out);
    refuse_overwriting(s.tokenizer.empty() ? std::filesystem::path(s.in).parent_path() / "tokenizer.bin"
                                           : std::filesystem::path(s.tokenizer),
                       s.out);
    const Conversion done = convert_to_kv_heads(s.in, s.tokenizer, s.kv_heads, s.text, reference_backend());
    write_checkpoint(s.out, done.converted, done.format);

    if (s.json) {
        const auto side = [](Index kv_heads, Index weights, const Score& score) {
            return nlohmann::ordered_json{
                {"kv_heads", kv_heads}, {"weights", weights}, {"nll", score.nll}, {"perplexity", score.perplexity}};
        };
        const nlohmann::ordered_json json{{"schema", "headroom.convert/1"},
                                          {"text", s.text},
                                          {"predicted_tokens", done.before.predicted},
                                          {"before", side(done.kv_heads_before, done.weights_before, done.before)},
                                          {"after", side(done.kv_heads_after, done.weights_after, done.after)}};
        std::cout << json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
        return 0;
    }
    fmt::print("          KV heads     weights   perplexity of {} tokens\n", done.before.predicted);
    fmt::print("before {:>11} {:>11} {:>12.4f}\n", done.kv_heads_before, done.weights_before, done.before.perplexity);
    fmt::print("after  {:>11} {:>11} {:>12.4f}\n", done.kv_heads_after, done.weights_after, done.after.perplexity);
    return 0;
}

} // namespace

Action declare_convert(CLI::App& app)
{
    auto s = std::make_shared<Settings>();
    app.add_option("in", s->in, "checkpoint (llama2.c or safetensors)")->required();
    app.add_option("out", s->out, "checkpoint to write, in the same format")->required();
    app.add_option("--kv-heads", s->kv_heads, "KV heads of the new checkpoint; a divisor of the old number")
        ->required();
    app.add_option("--tokenizer", s->tokenizer, "the model's tokenizer; default: tokenizer.bin beside it");
    app.add_option("--text", s->text, "text whose perplexity is measured before and after")->capture_default_str();
    app.add_flag("--json", s->json, "KV heads, weights, nll and perplexity before and after");
    return [s] { return convert(*s); };
}

} // namespace headroom
