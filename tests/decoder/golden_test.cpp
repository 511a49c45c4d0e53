// A tiny random decoder against numbers that tests/data/decoder/tiny_golden.py computed independently, in double.
#include "tests/support/catch.h"

#include "reference/decoder/generate.h"
#include "reference/decoder/llama2c.h"
#include "reference/decoder/random_decoder.h"
#include "reference/decoder/score.h"
#include "tests/decoder/tiny.h"
#include "tests/support/shared_data.h"
#include <fstream>
#include <nlohmann/json.hpp>

using namespace headroom;

namespace {

nlohmann::json golden() { return nlohmann::json::parse(std::ifstream(test_data("decoder/tiny_golden.json"))); }

} // namespace

TEST_CASE("a random decoder makes the tokens that an independent program makes")
{
    const auto expected = golden()["greedy"].get<std::vector<int>>();
    const Decoder model = tiny_decoder();
    GenerationSettings settings{.steps = static_cast<Index>(expected.size()) - 1};
    for (const bool cached : {true, false}) {
        if (!cached) settings.cache.reset();
        CHECK(generate(model, {{1}}, settings, reference_backend()).tokens.front() == expected);
    }
}

TEST_CASE("a random decoder's logits and nll are those of an independent program")
{
    const auto sentence = golden()["sentence"].get<std::vector<int>>();
    const Decoder model = tiny_decoder();
    const std::vector<std::vector<double>> rows = logits_without_cache(model, sentence);
    const auto expected = golden()["last_logits"].get<std::vector<double>>();
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(rows.back()[i] == Approx(expected[i]).margin(1e-6));
    CHECK(score(model, sentence, {}, reference_backend()).nll == Approx(golden()["nll"].get<double>()).margin(1e-6));
}

TEST_CASE("a checkpoint written in either form of llama2.c is read back to the bit")
{
    const auto sentence = golden()["sentence"].get<std::vector<int>>();
    for (const bool shared : {true, false})
        for (const int version : {0, 1}) {
            const Decoder model = tiny_decoder(shared);
            const Decoder again = parse_llama2c(llama2c_file(model, version));
            CHECK(again.config == model.config);
            CHECK(again.classifier.empty() == shared);
            CHECK(logits_without_cache(again, sentence) == logits_without_cache(model, sentence));
        }
}
