// headroom batch: sequences of unequal length in one batch, three ways, and what each computes and stores for nothing.
#include "cli/command.h"
#include "cli/parts.h"

#include "experiments/models.h"
#include "experiments/unequal_lengths.h"
#include <fmt/format.h>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

namespace headroom {
namespace {

struct Settings {
    std::string model, tokenizer, side = "left", lengths = "5,7,120";
    UnequalLengthsSettings batch;
    bool json = false;
};

std::vector<Index> lengths_in(const std::string& text)
{
    std::vector<Index> lengths;
    for (const std::string& part : parts(text, ',')) {
        const auto length = whole_number(part, 0, std::numeric_limits<std::int32_t>::max());
        if (!length) throw std::invalid_argument("--lengths " + text + ": '" + part + "' is no number of tokens");
        lengths.push_back(*length);
    }
    return lengths;
}

int batch(Settings& s)
{
    s.batch.lengths = lengths_in(s.lengths);
    s.batch.padding = s.side == "left" ? Side::left : Side::right;
    const Model model = load_model(s.model, s.tokenizer);
    const std::vector<BatchingWay> ways = unequal_lengths(model.decoder, s.batch, reference_backend());
    bool all_equal = true;
    for (const BatchingWay& way : ways) all_equal &= way.equal_to_alone;

    if (s.json) {
        nlohmann::ordered_json json{{"schema", "headroom.batch/1"}, {"lengths", s.batch.lengths}};
        for (const BatchingWay& way : ways)
            json["ways"][way.name] = {{"padded_tokens", way.padded_tokens},
                                      {"useful_tokens", way.useful_tokens},
                                      {"passes", way.passes},
                                      {"linear_madds", way.linear_madds},
                                      {"attention_madds", way.attention_madds},
                                      {"kv_reserved_bytes", way.kv_reserved_bytes},
                                      {"equal_to_alone", way.equal_to_alone}};
        std::cout << json.dump(1) << '\n';
    } else {
        fmt::print("{:<10}{:>8}{:>8}{:>8}{:>18}{:>17}  {}\n", "way", "passes", "useful", "padded", "attention madds",
                   "KV bytes", "each row as alone");
        for (const BatchingWay& way : ways)
            fmt::print("{:<10}{:>8}{:>8}{:>8}{:>18}{:>17}  {}\n", way.name, way.passes, way.useful_tokens,
                       way.padded_tokens, way.attention_madds, way.kv_reserved_bytes,
                       way.equal_to_alone ? "yes, to the bit" : "NO");
        fmt::print("\n");
        for (const BatchingWay& way : ways) fmt::print("{:<10}{}\n", way.name, way.idea);
    }
    return all_equal ? 0 : 1;
}

} // namespace

Action declare_batch(CLI::App& app)
{
    auto s = std::make_shared<Settings>();
    app.add_option("--lengths", s->lengths, "tokens of each sequence, 0 allowed")->capture_default_str();
    app.add_option("--padding", s->side, "where padding goes")
        ->check(CLI::IsMember({"left", "right"}))
        ->capture_default_str();
    app.add_option("--seed", s->batch.seed, "of the tokens")->capture_default_str();
    app.add_option("--model", s->model, "checkpoint (llama2.c or safetensors), or a built-in model");
    app.add_option("--tokenizer", s->tokenizer, "its tokenizer; default: tokenizer.bin beside it");
    app.add_flag("--json", s->json, "tokens, multiply-adds and bytes of each way");
    return [s] { return batch(*s); };
}

} // namespace headroom
