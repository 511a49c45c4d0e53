// StreamingLLM's positions: keys are kept unturned and stand where they lie, so a text may outgrow the model's context.
#include "tests/support/catch.h"

#include "reference/decoder/generate.h"
#include "reference/tensor/random.h"
#include "tests/decoder/tiny.h"
#include <cmath>

using namespace headroom;

namespace {

constexpr Index window = 6, sinks = 2;
const std::vector<int> tokens{1, 5, 39, 8, 17, 22, 3, 3, 30, 11, 12, 7, 2, 19, 0, 21, 33};

CacheChoice ring(RingPositions positions, Index first_tokens, DType type = DType::f64)
{
    CacheChoice choice{.kind = "ring", .type = type};
    choice.options.window = window;
    choice.options.sinks = first_tokens;
    choice.options.positions = positions;
    return choice;
}

Logits logits_through(const CacheChoice& choice)
{
    const Decoder model = tiny_decoder();
    const auto cache = make_cache(model.config, 1, choice);
    AttentionOptions options;
    options.window = window;
    options.sinks = choice.options.sinks;
    return logits_in_chunks(model, tokens, 1, *cache, options);
}

double difference(const Logits& a, const Logits& b, std::size_t from, std::size_t to)
{
    double most = 0;
    for (std::size_t t = from; t < to; ++t)
        for (std::size_t i = 0; i < a[t].size(); ++i) {
            const double off = std::fabs(a[t][i] - b[t][i]);
            if (!(off <= most)) most = off;
        }
    return most;
}

// y = W x turned by the angle of a position, one head of it; written down once more for this test.
std::vector<double> turned(const StoredTensor& w, std::span<const double> x, Index head, double position)
{
    const Index D = tiny_config.head_dim;
    std::vector<double> y(static_cast<std::size_t>(D));
    for (Index d = 0; d < D; ++d)
        for (std::size_t e = 0; e < x.size(); ++e)
            y[static_cast<std::size_t>(d)] += value(w.view(), 0, 0, head * D + d, static_cast<Index>(e)) * x[e];
    if (position < 0) return y; // not turned: V
    for (std::size_t pair = 0; 2 * pair < y.size(); ++pair) {
        const double angle =
            position * std::pow(tiny_config.rope_base, -2 * static_cast<double>(pair) / static_cast<double>(D));
        const double a = y[2 * pair], b = y[2 * pair + 1];
        y[2 * pair] = a * std::cos(angle) - b * std::sin(angle);
        y[2 * pair + 1] = b * std::cos(angle) + a * std::sin(angle);
    }
    return y;
}

// What the newest of `seen` tokens gets from the first `sinks` and the last `window`, standing at 0, 1, 2, …
std::vector<double> by_hand(const Tensor& x, Index seen, const AttentionWeights& w)
{
    std::vector<Index> kept;
    for (Index t = 0; t < seen; ++t)
        if (t < sinks || t >= seen - window) kept.push_back(t);
    const Index D = tiny_config.head_dim, group = tiny_config.q_heads / tiny_config.kv_heads;
    std::vector<double> heads;
    for (Index h = 0; h < tiny_config.q_heads; ++h) {
        const auto q = turned(w.q_proj, x.row(seen - 1), h, static_cast<double>(kept.size()) - 1);
        std::vector<double> output(static_cast<std::size_t>(D));
        double sum = 0;
        for (std::size_t slot = 0; slot < kept.size(); ++slot) {
            const auto k = turned(w.k_proj, x.row(kept[slot]), h / group, static_cast<double>(slot));
            const auto v = turned(w.v_proj, x.row(kept[slot]), h / group, -1);
            double score = 0;
            for (std::size_t d = 0; d < q.size(); ++d) score += q[d] * k[d];
            const double weight = std::exp(score / std::sqrt(static_cast<double>(D)));
            sum += weight;
            for (std::size_t d = 0; d < v.size(); ++d) output[d] += weight * v[d];
        }
        for (const double each : output) heads.push_back(each / sum);
    }
    std::vector<double> y(static_cast<std::size_t>(tiny_config.width));
    for (std::size_t e = 0; e < y.size(); ++e)
        for (std::size_t i = 0; i < heads.size(); ++i)
            y[e] += value(w.o_proj.view(), 0, 0, static_cast<Index>(e), static_cast<Index>(i)) * heads[i];
    return y;
}

} // namespace

TEST_CASE("in-cache positions: attention over the sinks and the window, each key turned by the slot in which it lies")
{
    const Decoder model = tiny_decoder();
    const AttentionWeights& weights = model.layers[0].attention;
    const auto cache = make_cache(model.config, 1, ring(RingPositions::in_cache, sinks));
    CachedKv memory(*cache);
    Backend backend = reference_backend();
    backend.options.window = window;
    backend.options.sinks = sinks;
    const RopeTable table(sinks + window, model.config.head_dim, model.config.rope_base);
    Random random(3);
    const Tensor x = random_normal({40, model.config.width}, random);
    const Tensor other_layer({1, model.config.kv_heads, 1, model.config.head_dim});
    for (Index t = 0; t < 40; ++t) {
        const std::vector<double> row(x.row(t).begin(), x.row(t).end());
        const TokenBatch batch = following({{1}}, std::vector<Index>{t});
        memory.begin(batch.counts());
        const Tensor y = grouped_query_attention(Tensor({1, model.config.width}, row), batch, weights, model.config,
                                                 table, 0, memory, backend);
        memory.keep(1, other_layer, other_layer);
        memory.end();
        const std::vector<double> wanted = by_hand(x, t + 1, weights);
        for (Index e = 0; e < model.config.width; ++e) {
            INFO("token " << t);
            REQUIRE(y(0, e) == Approx(wanted[static_cast<std::size_t>(e)]).epsilon(1e-12).margin(1e-12));
        }
    }
}

TEST_CASE("in-cache positions without sinks give what absolute ones give, for RoPE sees distances alone")
{
    const Logits absolute = logits_through(ring(RingPositions::absolute, 0));
    CHECK(difference(logits_through(ring(RingPositions::in_cache, 0)), absolute, 0, tokens.size()) < 1e-12);
}

TEST_CASE("in-cache positions with sinks differ from absolute ones as soon as a token is evicted, not before")
{
    const Logits absolute = logits_through(ring(RingPositions::absolute, sinks)),
                 in_cache = logits_through(ring(RingPositions::in_cache, sinks));
    const std::size_t full = sinks + window;
    CHECK(difference(in_cache, absolute, 0, full) < 1e-12);
    CHECK(difference(in_cache, absolute, full, full + 1) > 1e-6);
    CHECK(difference(in_cache, absolute, full, tokens.size()) > 1e-3);
}

TEST_CASE("with in-cache positions a text outgrows the model's context at constant bytes, whatever the prompt's chunks")
{
    const Decoder model = tiny_decoder(); // of 64 tokens
    Backend backend = reference_backend();
    backend.options.window = window;
    backend.options.sinks = sinks;
    GenerationSettings settings{.steps = 200, .cache = ring(RingPositions::in_cache, sinks, DType::f32)};
    const Generation result = generate(model, {tokens, {1, 4}}, settings, backend);
    REQUIRE(result.tokens[0].size() == tokens.size() + 200);
    CHECK(result.tokens[1].size() == 2 + 200);
    const KvCounters& last = result.steps.back().bytes;
    CHECK(last.live == 2 * (sinks + window) * 2 * 2 * 2 * 4 * 4);
    for (const GenerationStep& step : result.steps) {
        CHECK(step.bytes.reserved == last.reserved);
        CHECK(step.bytes.live <= last.live);
    }
    for (const Index chunk : {1, 5}) {
        settings.chunk = chunk;
        CHECK(generate(model, {tokens, {1, 4}}, settings, backend).tokens == result.tokens);
    }

    settings.cache = ring(RingPositions::absolute, sinks, DType::f32);
    CHECK_THROWS_WITH(generate(model, {tokens}, settings, backend), containing("the model's is 64"));
    settings.cache = ring(RingPositions::in_cache, 59, DType::f32); // 59 + 6 positions
    CHECK_THROWS_WITH(generate(model, {tokens}, settings, backend), containing("more positions than the model's 64"));
}
