// The decoder through every cache: any chunking gives the bits of a pass without a cache.
#include "tests/support/catch.h"

#include "reference/decoder/generate.h"
#include "reference/decoder/random_decoder.h"
#include "tests/decoder/tiny.h"

using namespace headroom;

namespace {

const std::vector<int> tokens{1, 5, 39, 8, 17, 22, 3, 3, 30, 11, 12, 7, 2, 19, 0, 21, 33};

} // namespace

TEST_CASE("any chunking through any cache gives the logits of a pass without a cache, to the bit")
{
    const Decoder model = tiny_decoder();
    for (const CacheKind& kind : cache_kinds())
        for (const DType type : {DType::f32, DType::f16, DType::bf16, DType::i8})
            for (const Index window : {0, 6}) {
                if (kind.name == "ring" && window == 0) continue;
                AttentionOptions options;
                options.window = window;
                options.sinks = window ? 2 : 0;
                const Logits expected = logits_without_cache(model, tokens, type, options);
                for (const Index chunk : {1, 2, 3, 5, 7, 16, 17}) {
                    CacheChoice choice{.kind = std::string(kind.name), .type = type, .options = {}};
                    choice.options.max_length = 32;
                    choice.options.initial = 4;
                    choice.options.block = 4;
                    choice.options.window = window;
                    choice.options.sinks = options.sinks;
                    const auto cache = make_cache(model.config, 1, choice);
                    if (chunk > cache->longest_append()) continue;
                    INFO(kind.name << ", " << name(type) << ", window " << window << ", chunks of " << chunk);
                    CHECK(logits_in_chunks(model, tokens, chunk, *cache, options) == expected);
                }
            }
}

TEST_CASE("generating through every cache, in chunks and without one gives the same tokens")
{
    const Decoder model = tiny_decoder();
    GenerationSettings settings{.steps = 20};
    settings.cache.reset();
    const auto expected = generate(model, {tokens}, settings, reference_backend()).tokens;
    for (const CacheKind& kind : cache_kinds()) {
        if (kind.name == "ring") continue; // forgets on purpose; with a window it is compared above
        for (const Index chunk : {0, 1, 4}) {
            settings.cache = CacheChoice{.kind = std::string(kind.name)};
            settings.chunk = chunk;
            const Generation result = generate(model, {tokens}, settings, reference_backend());
            CHECK(result.tokens == expected);
            const Index chunks = chunk == 0 ? 1 : (static_cast<Index>(tokens.size()) + chunk - 1) / chunk;
            CHECK(static_cast<Index>(result.steps.size()) == chunks + 19);
        }
    }
}

TEST_CASE("a step's record says what attention saw, and lengths end at prompt + steps - 1")
{
    const Decoder model = tiny_decoder();
    GenerationSettings settings{.steps = 5, .chunk = 10};
    const Generation result = generate(model, {tokens}, settings, reference_backend());
    REQUIRE(result.steps.size() == 2 + 4);
    CHECK(result.steps[0].k_shape == Shape{1, 2, 10, 4});
    CHECK(result.steps[1].prefill);
    CHECK(result.steps[1].past_length == 10);
    CHECK(result.steps[1].q_shape == Shape{1, 4, 7, 4});
    CHECK_FALSE(result.steps[2].prefill);
    CHECK(result.steps.back().length == 17 + 5 - 1);
    CHECK(result.steps.back().bytes.live == 21 * 2 * 2 * 2 * 4 * 4); // tokens, K and V, layers, heads, D, bytes

    settings.cache.reset();
    settings.chunk = 0;
    for (const GenerationStep& step : generate(model, {tokens}, settings, reference_backend()).steps) {
        CHECK(step.past_length == 0);
        CHECK(step.bytes.reserved == 0);
        CHECK(step.new_tokens == step.length);
    }
}

TEST_CASE("generation refuses what does not fit the model's context before it computes anything")
{
    const Decoder model = tiny_decoder();
    Backend never{[](const AttentionProblem&) -> AttentionStages { throw std::logic_error("computed"); },
                  [](const Tensor&, const StoredView&, Tensor&) { throw std::logic_error("computed"); }};
    CHECK_THROWS_AS(generate(model, {{1, 2}}, {.steps = 64}, never), std::invalid_argument);
    CHECK_NOTHROW(generate(model, {{1, 2}}, {.steps = 63}, reference_backend()));
}

TEST_CASE("reported fault 37: the context is checked against positions, not against the chunk's length")
{
    DecoderConfig config = tiny_config;
    config.max_length = 8;
    const Decoder model = random_decoder(config, 7);
    const auto cache = make_cache(config, 1, {.kind = "concat"});
    CachedKv memory(*cache);
    const auto take = [&](std::vector<int> chunk) {
        forward(model, following({std::move(chunk)}, cache->lengths()), memory, reference_backend());
        return cache->lengths()[0];
    };
    CHECK(take({1, 2, 3, 4, 5, 6}) == 6);
    CHECK_THROWS_AS(take({1, 2, 3, 4}), std::length_error); // would need 10
    CHECK(cache->lengths()[0] == 6);
    CHECK(take({1, 2}) == 8); // position 7 is the last
    CHECK_THROWS_AS(take({1}), std::length_error);
    CHECK(take({}) == 8);
}

TEST_CASE("a pass that fails half-way leaves the cache as it was")
{
    const Decoder model = tiny_decoder();
    for (const CacheKind& kind : cache_kinds()) {
        CacheChoice choice{.kind = std::string(kind.name)};
        choice.options.window = 8;
        const auto cache = make_cache(model.config, 1, choice), untouched = make_cache(model.config, 1, choice);
        CachedKv memory(*cache), other(*untouched);
        const auto take = [&](KvMemory& into, const KvCache& of, std::vector<int> chunk, const Backend& backend) {
            const Tensor hidden = forward(model, following({std::move(chunk)}, of.lengths()), into, backend);
            return std::vector<double>(hidden.values().begin(), hidden.values().end());
        };
        Backend fails = reference_backend();
        fails.attention = [calls = 0, attend = fails.attention](const AttentionProblem& problem) mutable {
            if (++calls == 2) throw std::runtime_error("the second layer fails");
            return attend(problem);
        };
        INFO(kind.name);
        take(memory, *cache, {1, 2, 3}, reference_backend());
        take(other, *untouched, {1, 2, 3}, reference_backend());
        CHECK_THROWS_AS(take(memory, *cache, {4, 5}, fails), std::runtime_error);
        CHECK(cache->lengths()[0] == 3);
        CHECK(take(memory, *cache, {6, 7}, reference_backend()) ==
              take(other, *untouched, {6, 7}, reference_backend()));
    }
}
