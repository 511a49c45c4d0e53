// The layer of the article's table: a cache changes nothing but cost, and the memory is what the formulas say.
#include "experiments/bench/attention_layer.h"
#include "tests/support/catch.h"
#include <cmath>

using namespace headroom;

namespace {

const LayerShape small{.width = 128, .q_heads = 8, .kv_heads = 2, .sequences = 2, .tokens = 40};

void expect_close(std::span<const float> got, std::span<const float> expected)
{
    REQUIRE(got.size() == expected.size());
    float worst = 0, largest = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        worst = std::fmax(worst, std::fabs(got[i] - expected[i]));
        largest = std::fmax(largest, std::fabs(expected[i]));
    }
    CHECK(largest > 1e-3f);
    CHECK(worst < 1e-5f);
}

} // namespace

TEST_CASE("with a cache or without, scores tiled or whole: the same output")
{
    AttentionLayer plain(small, false, ScoreMemory::tiled, 1), cached(small, true, ScoreMemory::tiled, 2),
        whole(small, false, ScoreMemory::whole, 1);
    plain.prefill(), cached.prefill(), whole.prefill();
    const std::vector<float> all(plain.output().begin(), plain.output().end());
    expect_close(cached.output(), all);
    expect_close(whole.output(), all);

    // A decode step gives the last token's row of each sequence.
    cached.decode_step();
    const auto E = static_cast<std::size_t>(small.width), n = static_cast<std::size_t>(small.tokens);
    REQUIRE(cached.output().size() == 2 * E);
    for (std::size_t b = 0; b < 2; ++b)
        expect_close(cached.output().subspan(b * E, E), std::span(all).subspan((b * n + n - 1) * E, E));
}

TEST_CASE("the memory of a layer is what was calculated")
{
    for (const Index kv_heads : {8, 2, 1})
        for (const bool with_cache : {false, true})
            for (const ScoreMemory scores : {ScoreMemory::tiled, ScoreMemory::whole})
                for (const bool prefill : {true, false}) {
                    LayerShape shape = small;
                    shape.kv_heads = kv_heads;
                    AttentionLayer layer(shape, with_cache, scores, 1);
                    prefill ? layer.prefill() : layer.decode_step();
                    const MemorySplit got = layer.measured(), expected = layer.calculated(prefill || !with_cache);
                    INFO(kv_heads << " KV heads, cache " << with_cache << ", whole scores "
                                  << (scores == ScoreMemory::whole) << ", prefill " << prefill);
                    CHECK(got.weights == expected.weights);
                    CHECK(got.activations == expected.activations);
                    CHECK(got.scores == expected.scores);
                    CHECK(got.cache == expected.cache);
                }
}
