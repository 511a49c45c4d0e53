// The reference's own properties: intermediates that fit together, bits that do not depend on the chunking.
#include "reference/attention/attention.h"
#include "tests/support/catch.h"
#include "tests/support/random_problem.h"
#include "tests/support/small_problem.h"
#include <cmath>
#include <limits>

using namespace headroom;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Rows begin … end - 1 of the third axis.
Tensor slice(const Tensor& t, Index begin, Index end)
{
    Tensor part({t.extent(0), t.extent(1), end - begin, t.extent(3)});
    for (Index b = 0; b < t.extent(0); ++b)
        for (Index h = 0; h < t.extent(1); ++h)
            for (Index i = begin; i < end; ++i) std::ranges::copy(t.row(b, h, i), part.row(b, h, i - begin).begin());
    return part;
}

OwnedProblem owned(const Tensor& q, const Tensor& k, const Tensor& v)
{
    OwnedProblem p;
    p.q = store(q, DType::f64);
    p.k = store(k, DType::f64);
    p.v = store(v, DType::f64);
    return p;
}

} // namespace

TEST_CASE("each group of query heads reads its own KV head")
{
    OwnedProblem p; // one key; V of KV head 0 is 10, of KV head 1 is 20
    p.q = store(Tensor({1, 4, 1, 1}, 1.0), DType::f64);
    p.k = store(Tensor({1, 2, 1, 1}, 1.0), DType::f64);
    p.v = store(Tensor({1, 2, 1, 1}, {10, 20}), DType::f64);
    const AttentionStages result = attention(p.problem());
    CHECK(std::ranges::equal(result.output.values(), std::vector<double>{10, 10, 20, 20}));
}

TEST_CASE("any chunking of the same tokens gives the same bits")
{
    Random random(3);
    const Index T = 23;
    for (const Index D : {1, 5, 37, 64}) {
        const Tensor q = random_uniform({2, 6, T, D}, random), k = random_uniform({2, 2, T, D}, random),
                     v = random_uniform({2, 2, T, D + 3}, random);
        for (const AttentionOptions& options :
             {AttentionOptions{}, AttentionOptions{.soft_cap = 3, .window = 7, .sinks = 2}}) {
            OwnedProblem at_once = owned(q, k, v);
            at_once.options = options;
            const AttentionStages whole = attention(at_once.problem());
            for (const std::vector<Index>& chunks :
                 {std::vector<Index>{1, 22}, {22, 1}, {7, 7, 9}, std::vector<Index>(static_cast<std::size_t>(T), 1)}) {
                Index seen = 0;
                for (const Index size : chunks) {
                    OwnedProblem part =
                        owned(slice(q, seen, seen + size), slice(k, 0, seen + size), slice(v, 0, seen + size));
                    part.options = options;
                    const AttentionStages piece = attention(part.problem());
                    const Tensor output = slice(whole.output, seen, seen + size);
                    REQUIRE(std::ranges::equal(piece.output.values(), output.values()));
                    for (Index h = 0; h < 6; ++h)
                        for (Index i = 0; i < size; ++i) {
                            REQUIRE(piece.lse(1, h, i) == whole.lse(1, h, seen + i));
                            REQUIRE(std::ranges::equal(piece.weights.row(1, h, i),
                                                       whole.weights.row(1, h, seen + i)
                                                           .first(static_cast<std::size_t>(piece.weights.extent(3)))));
                        }
                    seen += size;
                }
            }
        }
    }
}

TEST_CASE("the intermediates fit together")
{
    OwnedProblem p = small_problem();
    p.kv_lengths = {5, 3};
    p.sink_logits = {0.5, -infinity, 2, -1};
    p.options.soft_cap = 4;
    const AttentionStages all = attention(p.problem());
    for (Index b = 0; b < 2; ++b)
        for (Index h = 0; h < 4; ++h)
            for (Index i = 0; i < 3; ++i) {
                const double sink = p.sink_logits[static_cast<std::size_t>(h)];
                double max = sink, sum = 0, weights = 0;
                for (const double score : all.masked_scores.row(b, h, i)) max = std::fmax(max, score);
                CHECK(all.row_max(b, h, i) == max);
                for (const double score : all.masked_scores.row(b, h, i)) sum += std::exp(score - max);
                sum += std::exp(sink - max);
                CHECK(std::fabs(all.row_sum(b, h, i) - sum) <= 1e-15);
                for (const double weight : all.weights.row(b, h, i)) weights += weight;
                CHECK(std::fabs(weights + std::exp(sink - all.lse(b, h, i)) - 1) <= 1e-15);
                for (Index j = 0; j < 5; ++j) {
                    const bool hidden = all.masked_scores(b, h, i, j) == -infinity;
                    CHECK(hidden == (all.weights(b, h, i, j) == 0));
                    if (!hidden) CHECK(all.masked_scores(b, h, i, j) == 4 * std::tanh(all.scores(b, h, i, j) / 4));
                    if (j >= p.kv_lengths[static_cast<std::size_t>(b)]) CHECK(all.scores(b, h, i, j) == 0);
                }
            }
}

TEST_CASE("padded queries see nothing, and their neighbours do not notice them")
{
    OwnedProblem p = small_problem();
    p.query_lengths = {3, 2};
    const AttentionStages padded = attention(p.problem());
    Tensor q = load(p.q);
    for (Index h = 0; h < 4; ++h)
        for (double& x : q.row(1, h, 2)) x = std::nan("");
    p.q = store(q, DType::f64);
    const AttentionStages poisoned = attention(p.problem());
    for (const Stage& stage : stages())
        CHECK(std::ranges::equal((padded.*stage.tensor).values(), (poisoned.*stage.tensor).values()));
    for (Index h = 0; h < 4; ++h) {
        CHECK(padded.lse(1, h, 2) == -infinity);
        CHECK(padded.row_max(1, h, 2) == -infinity);
        CHECK(padded.row_sum(1, h, 2) == 0);
        for (const double x : padded.output.row(1, h, 2)) CHECK(x == 0);
    }
}

TEST_CASE("a NaN that is seen shows, and only in the rows that see it")
{
    OwnedProblem p = small_problem();
    Tensor k = load(p.k);
    k(0, 1, 4, 2) = std::nan(""); // the newest key of KV head 1: only the last query of heads 2 and 3 sees it
    p.k = store(k, DType::f64);
    const AttentionStages all = attention(p.problem());
    for (Index b = 0; b < 2; ++b)
        for (Index h = 0; h < 4; ++h)
            for (Index i = 0; i < 3; ++i) {
                const bool sees = b == 0 && h >= 2 && i == 2;
                CHECK(std::isnan(all.row_max(b, h, i)) == sees);
                CHECK(std::isnan(all.lse(b, h, i)) == sees);
                for (const double x : all.output.row(b, h, i)) CHECK(std::isnan(x) == sees);
            }
}

TEST_CASE("no key and no query give empty rows and empty results")
{
    OwnedProblem none = owned(Tensor({1, 2, 3, 4}, 1.0), Tensor({1, 1, 0, 4}), Tensor({1, 1, 0, 5}));
    const AttentionStages empty = attention(none.problem());
    CHECK(empty.scores.shape() == Shape{1, 2, 3, 0});
    CHECK(std::ranges::count(empty.output.values(), 0.0) == 30);
    CHECK(std::ranges::count(empty.lse.values(), -infinity) == 6);
    none.sink_logits = {1.5, -2};
    CHECK(attention(none.problem()).lse(0, 0, 2) == 1.5);
    CHECK(attention(none.problem()).lse(0, 1, 2) == -2);

    OwnedProblem no_query = owned(Tensor({1, 2, 0, 4}), Tensor({1, 1, 3, 4}), Tensor({1, 1, 3, 5}));
    CHECK(attention(no_query.problem()).output.shape() == Shape{1, 2, 0, 5});
}

TEST_CASE("what nobody sees does not matter, even if it is NaN or Inf")
{
    Index poisoned_keys = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        RandomProblem random(seed);
        INFO(random.describe());
        const AttentionProblem& p = random.problem();
        const auto [B, H, Hkv, L, S, D, Dv] = check(p);
        const AttentionStages before = attention(p);
        for (Index b = 0; b < B; ++b)
            for (Index hkv = 0; hkv < Hkv; ++hkv)
                for (Index j = 0; j < p.kv.length[b]; ++j) {
                    bool seen = false;
                    for (Index h = hkv * (H / Hkv); h < (hkv + 1) * (H / Hkv); ++h)
                        for (Index i = 0; i < L; ++i) seen = seen || before.masked_scores(b, h, i, j) != -infinity;
                    if (seen) continue;
                    random.set_key(b, hkv, j, j % 2 ? std::nan("") : infinity);
                    random.set_value(b, hkv, j, j % 2 ? -infinity : std::nan(""));
                    ++poisoned_keys;
                }
        const AttentionStages after = attention(p);
        for (const Stage& stage : stages()) {
            INFO(stage.name);
            if (stage.name != "scores") // which tell what they saw
                CHECK(std::ranges::equal((before.*stage.tensor).values(), (after.*stage.tensor).values()));
        }
    }
    CHECK(poisoned_keys > 1000);
}
