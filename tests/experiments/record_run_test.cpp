// Recorded runs of models: the same tokens in every lane, every number of the chosen layer.
#include "experiments/record_run.h"
#include "reference/decoder/generate.h"
#include "tests/support/catch.h"
#include <cmath>

using namespace headroom;

TEST_CASE("MHA, GQA and MQA models run in lockstep on the same tokens, and the first one chooses them")
{
    const RecordRunSettings settings{.text = "a b", .steps = 4, .layer = 2};
    const Recording r = record_run(settings, reference_backend());
    REQUIRE(r.lanes.size() == 3);
    CHECK(r.lanes[0].name == "mha");
    CHECK(r.lanes[2].geometry.kv_heads == 1);
    for (const Lane& lane : r.lanes) {
        REQUIRE(lane.steps.size() == 5);
        for (std::size_t s = 0; s < 5; ++s) {
            const RecordedStep& step = lane.steps[s];
            CHECK(step.token == r.lanes[0].steps[s].token);
            CHECK(step.past == r.lanes[0].steps[s].past);
            REQUIRE(step.layers.size() == 1);
            CHECK(step.layers[0].layer == 2);
            CHECK(step.layers[0].stages.output.shape() == Shape{1, lane.q_heads, step.added, lane.geometry.head_dim});
            CHECK(step.counters.live == (step.past + step.added) * lane.geometry.layers * 2 * lane.geometry.kv_heads *
                                            lane.geometry.head_dim * 4); // all layers, f32
        }
    }
    const Model first = load_model("mha", "");
    const Generation alone =
        generate(first.decoder, {first.tokenizer.encode("a b")}, {.steps = 5}, reference_backend());
    std::string text;
    for (const char c : first.tokenizer.decode(std::span(alone.tokens[0]).first(alone.tokens[0].size() - 1)))
        text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    CHECK(r.title.ends_with(text));
}

TEST_CASE("every number of the recorded layer follows from the others")
{
    const Recording r = record_run({.models = {"gqa"}, .text = "a b", .steps = 3, .layer = 1}, reference_backend());
    const Lane& lane = r.lanes.at(0);
    const StoredTokens stored(lane, 0, 3);
    const RecordedLayer& layer = lane.steps[3].layers[0];
    const Index G = lane.q_heads / lane.geometry.kv_heads;
    for (Index h = 0; h < lane.q_heads; ++h) {
        double output = 0;
        for (Index j = 0; j < stored.tokens(); ++j) {
            double score = 0;
            for (std::size_t d = 0; d < static_cast<std::size_t>(lane.geometry.head_dim); ++d)
                score += layer.q(0, h, 0, static_cast<Index>(d)) * stored.key(0, h / G, j)[d];
            CHECK(score / std::sqrt(static_cast<double>(lane.geometry.head_dim)) ==
                  Approx(layer.stages.scores(0, h, 0, j)).margin(1e-9));
            output += layer.stages.weights(0, h, 0, j) * stored.value(0, h / G, j)[5];
        }
        CHECK(output == Approx(layer.stages.output(0, h, 0, 5)).margin(1e-9));
    }
}

TEST_CASE("a run that cannot be is refused with the reason")
{
    CHECK_THROWS_AS(record_run({.layer = 99}, reference_backend()), std::invalid_argument);
    CHECK_THROWS_AS(record_run({.steps = 1'000'000}, reference_backend()), std::invalid_argument);
    CHECK_THROWS_AS(record_run({.models = {"no such model"}}, reference_backend()), std::invalid_argument);
    CHECK_THROWS_AS(record_run({.models = {}}, reference_backend()), std::invalid_argument);
}
