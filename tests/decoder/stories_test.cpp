// A real model of 260,000 weights against what was computed for it in double elsewhere.
#include "tests/support/catch.h"

#include "reference/attention/attention.h"
#include "reference/decoder/generate.h"
#include "reference/decoder/llama2c.h"
#include "reference/decoder/sampling.h"
#include "reference/decoder/score.h"
#include "reference/decoder/tokenizer.h"
#include "reference/parallel/instruction_sets.h"
#include "tests/decoder/tiny.h"
#include "tests/support/shared_data.h"
#include <fstream>
#include <nlohmann/json.hpp>

using namespace headroom;

namespace {

constexpr auto sentence = "One day, a clever fox found a shiny key under the old oak tree.";

struct Stories {
    Decoder model;
    Tokenizer tokenizer;
    nlohmann::json golden;
};
std::unique_ptr<Stories> stories(const std::string& checkpoint = "stories260K.bin")
{
    const auto weights = shared_data("data/weights/" + checkpoint), words = shared_data("data/weights/tok512.bin"),
               golden = shared_data("data/weights/stories260K_golden_double.json");
    if (weights.empty() || words.empty() || golden.empty()) return nullptr;
    return std::make_unique<Stories>(
        Stories{read_llama2c(weights), read_tokenizer(words), nlohmann::json::parse(std::ifstream(golden))});
}

// The mistake that keeps every shape right: query head h reads KV head h % Hkv.
AttentionStages tiled_heads(const AttentionProblem& problem)
{
    const auto [B, H, Hkv, L, S, D, Dv] = check(problem);
    Tensor k({B, H, S, D}), v({B, H, S, Dv});
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < H; ++h)
            for (Index j = 0; j < problem.kv.length[b]; ++j) {
                const Place at = place(problem.kv, b, j);
                for (Index d = 0; d < D; ++d) k(b, h, j, d) = value(problem.kv.k, at.block, h % Hkv, at.slot, d);
                for (Index d = 0; d < Dv; ++d) v(b, h, j, d) = value(problem.kv.v, at.block, h % Hkv, at.slot, d);
            }
    AttentionProblem tiled = problem;
    tiled.kv = KvView{.k = view(k), .v = view(v), .sequences = B, .length = problem.kv.length};
    return attention(tiled);
}

} // namespace

TEST_CASE("stories260K: the tokenizer splits the sentence as its makers' does")
{
    const auto s = stories();
    if (!s) return;
    CHECK(s->tokenizer.encode(sentence) == s->golden["sentence_ids"].get<std::vector<int>>());
    CHECK(s->tokenizer.decode(s->tokenizer.encode(sentence)) == sentence);
}

TEST_CASE("stories260K: 200 greedy tokens with every cache, in chunks, and without a cache")
{
    const auto s = stories();
    if (!s) return;
    auto expected = s->golden["greedy200"].get<std::vector<int>>();
    expected.insert(expected.begin(), 1);
    const auto check_settings = [&](const GenerationSettings& settings) {
        const auto prompt = std::vector<int>(expected.begin(), expected.begin() + 1 + (200 - settings.steps));
        CHECK(generate(s->model, {prompt}, settings, reference_backend()).tokens.front() == expected);
    };
    for (const CacheKind& kind : cache_kinds()) {
        INFO(kind.name);
        CacheChoice choice{.kind = std::string(kind.name)};
        choice.options.window = 512;
        check_settings({.steps = 200, .cache = choice});
    }
    for (const Index chunk : {0, 1, 7, 32, 100})
        check_settings({.steps = 100, .chunk = chunk}); // the first 100 are the prompt
    check_settings({.steps = 12, .cache = std::nullopt});

    // All 200 without a cache: what a pass over everything says behind each token is the token that follows.
    const Logits rows = logits_without_cache(s->model, expected);
    for (std::size_t t = 0; t + 1 < expected.size(); ++t) CHECK(most_likely(rows[t]) == expected[t + 1]);
}

TEST_CASE("stories260K: the same 200 tokens on the parallel path, with every instruction set and 1, 2 and 3 threads")
{
    const auto s = stories();
    if (!s) return;
    auto expected = s->golden["greedy200"].get<std::vector<int>>();
    expected.insert(expected.begin(), 1);
    for (const std::string_view set : parallel::instruction_sets())
        for (const int threads : {1, 2, 3}) {
            INFO(set << ", " << threads << " threads");
            const Backend backend = parallel_backend({.threads = threads, .instruction_set = std::string(set)});
            for (const Index prompt : {1, 101}) { // one token at a time, and a prefill of 101
                const std::vector<int> begin(expected.begin(), expected.begin() + prompt);
                CHECK(generate(s->model, {begin}, {.steps = 201 - prompt}, backend).tokens.front() == expected);
            }
        }
}

TEST_CASE("stories260K: the sentence's nll is right, and a wrong head map or transposed weights are seen in it")
{
    const auto s = stories();
    if (!s) return;
    const std::vector<int> ids = s->tokenizer.encode(sentence);
    CHECK(std::abs(score(s->model, ids, {}, reference_backend()).nll - 54.4041523942933) <= 0.0005);
    CHECK(std::abs(score(s->model, ids, {.chunk = 5}, reference_backend()).nll - 54.4041523942933) <= 0.0005);

    Backend wrong = reference_backend();
    wrong.attention = tiled_heads;
    CHECK(score(s->model, ids, {}, wrong).nll == Approx(187.71085068609315).margin(0.001));

    const auto negative = stories("negative/stories260K_transposed.bin");
    CHECK(score(negative->model, ids, {}, reference_backend()).perplexity == Approx(48848).margin(2));
}
