// Batches of unequal length: every row has the bits of a run alone, wherever the padding lies and whoever is beside it.
#include "tests/support/catch.h"

#include "experiments/unequal_lengths.h"
#include "reference/decoder/generate.h"
#include "tests/decoder/tiny.h"

using namespace headroom;

namespace {

using Rows = std::vector<std::vector<int>>;

// A prompt pass and a decode step over padded rows; the logits behind each row's last real token after either.
Logits padded_prompt_and_step(const Decoder& model, const Rows& prompts, const std::vector<int>& next, Side side)
{
    const Backend backend = reference_backend();
    CacheChoice choice{.kind = "preallocated"};
    choice.options.max_length = 16;
    const auto cache = make_cache(model.config, static_cast<Index>(prompts.size()), choice);
    CachedKv memory(*cache);
    PaddedRows rows = pad(prompts, side);
    const auto L = static_cast<Index>(rows.real.front().size());
    const Tensor first = forward(model, padded_pass(rows.tokens, rows.real), memory, backend);
    Logits all;
    for (std::size_t b = 0; b < prompts.size(); ++b) {
        const Index last = side == Side::left ? L - 1 : static_cast<Index>(prompts[b].size()) - 1;
        all.push_back(logits(model, first.row(static_cast<Index>(b) * L + last), backend));
    }
    Rows step;
    for (std::size_t b = 0; b < prompts.size(); ++b) {
        step.push_back({next[b]});
        rows.real[b].push_back(true);
    }
    const Tensor second = forward(model, padded_pass(step, rows.real), memory, backend);
    for (Index b = 0; b < second.extent(0); ++b) all.push_back(logits(model, second.row(b), backend));
    return all;
}

} // namespace

TEST_CASE("reported fault 32: positions of a padded batch count each row's own tokens")
{
    const TokenBatch prompt =
        padded_pass({{0, 0, 7, 8, 9}, {1, 2, 3, 4, 5}}, {{false, false, true, true, true}, std::vector<bool>(5, true)});
    CHECK(prompt.positions[0] == std::vector<Index>{0, 0, 0, 1, 2});
    CHECK(prompt.positions[1] == std::vector<Index>{0, 1, 2, 3, 4});
    const TokenBatch next =
        padded_pass({{6}, {6}}, {{false, false, true, true, true, true}, std::vector<bool>(6, true)});
    CHECK(next.positions == std::vector<std::vector<Index>>{{3}, {5}});
}

TEST_CASE("reported fault 32: each row of a padded batch equals the row alone, in the prompt and in the next step")
{
    const Decoder model = tiny_decoder();
    const Rows prompts{{7, 8, 9}, {1, 2, 3, 4, 5}, {30}};
    const std::vector<int> next{11, 12, 13};
    for (const Side side : {Side::left, Side::right}) {
        const Logits together = padded_prompt_and_step(model, prompts, next, side);
        for (std::size_t b = 0; b < prompts.size(); ++b) {
            std::vector<int> alone = prompts[b];
            alone.push_back(next[b]);
            const Logits expected = logits_without_cache(model, alone);
            CHECK(together[b] == expected[expected.size() - 2]);
            CHECK(together[prompts.size() + b] == expected.back());
        }
    }
}

TEST_CASE("one position for all rows of a left-padded batch is seen as a fault")
{
    const Decoder model = tiny_decoder();
    const PaddedRows rows = pad({{7, 8, 9}, {1, 2, 3, 4, 5}}, Side::left);
    TokenBatch batch = padded_pass(rows.tokens, rows.real);
    batch.positions[0] = batch.positions[1]; // the shared tensor of the report
    batch.mask = Tensor();                   // and padding that is not masked
    PackedKv memory(cache_geometry(model.config, 2, DType::f32));
    const Backend backend = reference_backend();
    const Tensor hidden = forward(model, batch, memory, backend);
    CHECK(logits(model, hidden.row(4), backend) != logits_without_cache(model, {7, 8, 9}).back());
    CHECK(logits(model, hidden.row(9), backend) == logits_without_cache(model, {1, 2, 3, 4, 5}).back());
}

TEST_CASE("reported fault 23: an empty sequence in a batch leaves its neighbours to the bit as they are")
{
    const Decoder model = tiny_decoder();
    for (const CacheKind& kind : cache_kinds()) {
        CacheChoice choice{.kind = std::string(kind.name)};
        choice.options.max_length = 16;
        choice.options.window = 16;
        const auto run = [&](const Rows& rows) {
            const auto cache = make_cache(model.config, static_cast<Index>(rows.size()), choice);
            CachedKv memory(*cache);
            const Tensor hidden = forward(model, following(rows, cache->lengths()), memory, reference_backend());
            return std::vector<double>(hidden.values().begin(), hidden.values().end());
        };
        INFO(kind.name);
        CHECK(run({{1, 2, 3}, {}, {4, 5}}) == run({{1, 2, 3}, {4, 5}}));
    }
}

TEST_CASE("prompts of unequal length, generated together, give what each gives alone")
{
    const Decoder model = tiny_decoder();
    const Rows prompts{{1, 5, 9, 2, 2, 30}, {1}, {1, 39, 8}};
    for (const CacheKind& kind : cache_kinds())
        for (const Index chunk : {0, 2}) {
            GenerationSettings settings{
                .steps = 9, .chunk = chunk, .cache = CacheChoice{.kind = std::string(kind.name)}};
            settings.cache->options.max_length = 64;
            settings.cache->options.window = 64;
            INFO(kind.name);
            const Generation together = generate(model, prompts, settings, reference_backend());
            for (std::size_t b = 0; b < prompts.size(); ++b)
                CHECK(together.tokens[b] ==
                      generate(model, {prompts[b]}, settings, reference_backend()).tokens.front());
        }
}

TEST_CASE("three ways to batch: the same rows, counted waste")
{
    const Decoder model = tiny_decoder();
    for (const Side side : {Side::left, Side::right}) {
        const auto ways = unequal_lengths(model, {.lengths = {5, 7, 0, 40}, .padding = side}, reference_backend());
        REQUIRE(ways.size() == 3);
        for (const BatchingWay& way : ways) {
            INFO(way.name);
            CHECK(way.equal_to_alone);
            CHECK(way.useful_tokens == 52);
        }
        const Index pair = 2 * 4 * 4 * 2, row = 2 * 2 * 2 * 4 * 4; // layers, heads, D, two products; K and V in bytes
        CHECK(ways[0].padded_tokens == 4 * 40 - 52);
        CHECK(ways[1].padded_tokens == 2 * 7 + 40 - 52);
        CHECK(ways[2].padded_tokens == 0);
        CHECK(ways[0].attention_madds == 4 * 40 * 40 * pair);
        CHECK(ways[1].attention_madds == (2 * 7 * 7 + 40 * 40) * pair);
        CHECK(ways[2].attention_madds == (5 * 5 + 7 * 7 + 40 * 40) * pair);
        CHECK(ways[0].kv_reserved_bytes == 4 * 40 * row);
        CHECK(ways[1].kv_reserved_bytes == (2 * 7 + 40) * row);
        CHECK(ways[2].kv_reserved_bytes == 52 * row);
    }
    CHECK_THROWS_AS(unequal_lengths(model, {.lengths = {0, 0}}, reference_backend()), std::invalid_argument);
    CHECK_THROWS_AS(unequal_lengths(model, {.lengths = {65}}, reference_backend()), std::invalid_argument);
}
