// Faults that users of other libraries reported in public, each as the smallest input that shows it, with the right
// value. Numbers 1 … 41 are those of the project's list; entries about caches and planning stand in their own folders.
#include "reference/attention/attention.h"
#include "reference/attention/online.h"
#include "reference/attention/online_softmax.h"
#include "reference/attention/rope.h"
#include "reference/contract/problem_file.h"
#include "reference/tensor/random.h"
#include "tests/support/catch.h"
#include <cmath>
#include <limits>
#include <numeric>

using namespace headroom;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), NaN = std::numeric_limits<double>::quiet_NaN();

// One sequence, one head, head_dim 1, q = 0 so that all scores are equal.
OwnedProblem equal_scores(Index L, const std::vector<double>& values)
{
    const Index S = static_cast<Index>(values.size());
    OwnedProblem p;
    p.q = store(Tensor({1, 1, L, 1}), DType::f64);
    p.k = store(Tensor({1, 1, S, 1}), DType::f64);
    p.v = store(Tensor({1, 1, S, 1}, values), DType::f64);
    return p;
}

// q k of the given scores, whatever the scale would be.
OwnedProblem given_scores(const std::vector<double>& scores, const std::vector<double>& values)
{
    OwnedProblem p = equal_scores(1, values);
    p.q = store(Tensor({1, 1, 1, 1}, 1.0), DType::f64);
    p.k = store(Tensor({1, 1, static_cast<Index>(scores.size()), 1}, scores), DType::f64);
    return p;
}

bool near(double a, double b, double bound = 1e-12) { return std::fabs(a - b) <= bound; }

// Both CPU paths must give these outputs, row after row.
void expect_output(const OwnedProblem& p, const std::vector<double>& expected, double bound = 1e-12)
{
    for (const AttentionStages& all :
         {attention(p.problem()), online_attention(p.problem(), {.tile = 2, .parts = 2})}) {
        REQUIRE(all.output.values().size() == expected.size());
        for (std::size_t n = 0; n < expected.size(); ++n) {
            INFO("row " << n << " is " << all.output.values()[n]);
            CHECK(near(all.output.values()[n], expected[n], bound));
        }
    }
}

} // namespace

TEST_CASE("report 1: KV heads are repeated 0 0 1 1, not tiled 0 1 0 1")
{
    OwnedProblem p;
    p.q = store(Tensor({1, 4, 1, 1}, 1.0), DType::f64);
    p.k = store(Tensor({1, 2, 1, 1}, 1.0), DType::f64);
    p.v = store(Tensor({1, 2, 1, 1}, {10, 20}), DType::f64);
    expect_output(p, {10, 10, 20, 20});
}

TEST_CASE("report 2: behind a cache, causal means aligned to the newest key, and top-left only on request")
{
    OwnedProblem p = equal_scores(2, {1, 2, 3, 4, 5});
    expect_output(p, {2.5, 3.0});
    p.options.causal = Causal::top_left;
    expect_output(p, {1.0, 1.5});
    expect_output(equal_scores(1, {1, 2, 3, 4, 5}), {3.0});
}

TEST_CASE("report 4: a row whose keys are all masked is zero, not NaN and not the mean")
{
    OwnedProblem p = equal_scores(2, {7, 9});
    p.options.causal = Causal::none;
    p.mask = Tensor({1, 1, 2, 2}, {1, 0, 0, 0});
    expect_output(p, {7, 0});
    CHECK(attention(p.problem()).lse(0, 0, 1) == -infinity);
}

TEST_CASE("report 5: slots that were never written do not matter, even if they hold NaN")
{
    OwnedProblem p = equal_scores(1, {1, 3, NaN, NaN});
    p.k = store(Tensor({1, 1, 4, 1}, {0, 0, NaN, infinity}), DType::f64);
    p.kv_lengths = {2};
    expect_output(p, {2});
}

TEST_CASE("report 10: the soft cap comes before the mask")
{
    OwnedProblem p = equal_scores(1, {1, 0});
    p.options.causal = Causal::none;
    p.options.soft_cap = 2;
    p.mask = Tensor({1, 1, 1, 2}, {1, 0});
    expect_output(p, {1});
    p.mask = {};
    p.bias = Tensor({1, 1, 1, 2}, {0, -infinity});
    expect_output(p, {1});
}

TEST_CASE("report 19: products beyond the range of f16 do not overflow")
{
    OwnedProblem p;
    p.q = store(Tensor({1, 1, 1, 128}, 256.0), DType::f16);
    p.k = store(Tensor({1, 1, 2, 128}, 256.0), DType::f16);
    p.v = store(Tensor({1, 1, 2, 1}, {1, 3}), DType::f16);
    CHECK(near(attention(p.problem()).scores(0, 0, 0, 0), 741455.2, 0.05));
    expect_output(p, {2});
    Tensor k({1, 1, 2, 128});
    std::ranges::fill(k.row(0, 0, 0), 256.0);
    p.k = store(k, DType::f16);
    expect_output(p, {1});
}

TEST_CASE("report 20: scores and sums keep more than the eight bits of bf16")
{
    expect_output(given_scores({256, 257}, {0, 1}), {0.731059}, 1e-6);
    expect_output(equal_scores(1, std::vector<double>(1000, 1.0)), {1});
}

TEST_CASE("report 23: an empty sequence leaves its neighbours alone, bit for bit")
{
    OwnedProblem three;
    three.q = store(Tensor({3, 1, 1, 1}), DType::f64);
    three.k = store(Tensor({3, 1, 3, 1}), DType::f64);
    three.v = store(Tensor({3, 1, 3, 1}, {1, 2, 3, NaN, NaN, NaN, 10, 20, NaN}), DType::f64);
    three.kv_lengths = {3, 0, 2};
    expect_output(three, {2, 0, 15});
    const Tensor lse = attention(three.problem()).lse;
    CHECK(lse(0, 0, 0) == std::log(3.0));
    CHECK(lse(1, 0, 0) == -infinity);
    CHECK(lse(2, 0, 0) == std::log(2.0));
    const Tensor output = attention(three.problem()).output;
    CHECK(attention(equal_scores(1, {1, 2, 3}).problem()).output(0, 0, 0, 0) == output(0, 0, 0, 0));
    CHECK(attention(equal_scores(1, {10, 20}).problem()).output(0, 0, 0, 0) == output(2, 0, 0, 0));
    CHECK(attention(equal_scores(0, {1, 2}).problem()).output.shape() == Shape{1, 1, 0, 1});
}

TEST_CASE("report 25: a learned sink enters the sum exactly once, and the maximum")
{
    OwnedProblem p = equal_scores(1, {10});
    p.sink_logits = {0};
    expect_output(p, {5});
    p.sink_logits = {100};
    expect_output(p, {10 * std::exp(-100.0)}, 1e-50);
    CHECK(attention(p.problem()).lse(0, 0, 0) == 100);
    CHECK(online_attention(p.problem()).lse(0, 0, 0) == 100);

    OwnedProblem no_key = equal_scores(1, {});
    no_key.sink_logits = {-3};
    expect_output(no_key, {0});
    CHECK(attention(no_key.problem()).lse(0, 0, 0) == -3);
    CHECK(online_attention(no_key.problem()).lse(0, 0, 0) == -3);

    OwnedProblem eight = equal_scores(1, {1, 2, 3, 4, 5, 6, 7, 8});
    eight.sink_logits = {0};
    for (const Index parts : {1, 2, 8})
        CHECK(near(online_attention(eight.problem(), {.parts = parts}).output(0, 0, 0, 0), 4));
}

TEST_CASE("report 26: the scale comes from the head_dim that there is, not from a padded one")
{
    OwnedProblem p;
    Tensor q({1, 1, 1, 80}), k({1, 1, 2, 80});
    q(0, 0, 0, 0) = 10;
    k(0, 0, 0, 0) = 1;
    p.q = store(q, DType::f64);
    p.k = store(k, DType::f64);
    p.v = store(Tensor({1, 1, 2, 1}, {1, 0}), DType::f64);
    expect_output(p, {0.753624}, 1e-6);
    for (const Index D : {1, 3, 37, 256, 512}) {
        Tensor wide_q({1, 1, 1, D}), wide_k({1, 1, 2, D});
        wide_q(0, 0, 0, D - 1) = 10;
        wide_k(0, 0, 0, D - 1) = 1;
        p.q = store(wide_q, DType::f64);
        p.k = store(wide_k, DType::f64);
        expect_output(p, {1 / (1 + std::exp(-10 / std::sqrt(static_cast<double>(D))))});
    }
}

TEST_CASE("report 32: positions are per sequence, so that each row of a padded batch equals the same row alone")
{
    // Two sequences of three and five tokens; rotated at positions 0 1 2 and 0 … 4, wherever the padding is.
    Random random(5);
    const Index B = 2, T = 5, D = 8, lengths[] = {3, 5};
    const Tensor x = random_normal({B, 1, T, D}, random), v = random_normal({B, 1, T, D}, random);
    const RopeTable table(T, D);
    const auto batch = [&](const Index* first) { // where each sequence begins; elsewhere zeros
        Tensor turned({B, 1, T, D}), values({B, 1, T, D});
        for (Index b = 0; b < B; ++b)
            for (Index i = 0; i < lengths[b]; ++i) {
                std::ranges::copy(x.row(b, 0, i), turned.row(b, 0, first[b] + i).begin());
                table.rotate(turned.row(b, 0, first[b] + i), i, RopeLayout::half_split);
                std::ranges::copy(v.row(b, 0, i), values.row(b, 0, first[b] + i).begin());
            }
        OwnedProblem p;
        p.q = store(turned, DType::f64);
        p.k = store(turned, DType::f64);
        p.v = store(values, DType::f64);
        return p;
    };
    const Index behind[] = {0, 0}, before[] = {2, 0};
    OwnedProblem right = batch(behind), left = batch(before);
    right.kv_lengths = right.query_lengths = {3, 5};
    left.mask = Tensor({2, 1, 1, 5}, {0, 0, 1, 1, 1, 1, 1, 1, 1, 1});
    const Tensor padded_right = attention(right.problem()).output, padded_left = attention(left.problem()).output;
    for (Index b = 0; b < B; ++b) {
        const Index n = lengths[b];
        Tensor alone({1, 1, n, D}), alone_v({1, 1, n, D});
        for (Index i = 0; i < n; ++i) {
            std::ranges::copy(x.row(b, 0, i), alone.row(0, 0, i).begin());
            table.rotate(alone.row(0, 0, i), i, RopeLayout::half_split);
            std::ranges::copy(v.row(b, 0, i), alone_v.row(0, 0, i).begin());
        }
        OwnedProblem one;
        one.q = store(alone, DType::f64);
        one.k = store(alone, DType::f64);
        one.v = store(alone_v, DType::f64);
        const Tensor single = attention(one.problem()).output;
        for (Index i = 0; i < n; ++i) {
            CHECK(std::ranges::equal(single.row(0, 0, i), padded_right.row(b, 0, i)));
            CHECK(std::ranges::equal(single.row(0, 0, i), padded_left.row(b, 0, before[b] + i)));
        }
    }
    // The next tokens stand at 3 and 5: where a sequence ends, not where the batch does.
    const AttentionProblem p = right.problem();
    CHECK(tokens_seen(p.kv, 0) == 3);
    CHECK(tokens_seen(p.kv, 1) == 5);
}

TEST_CASE("report 34: keys keep the base they were turned with, so a base is for life")
{
    const std::vector<double> x{0, 0, 1, 0}; // the slower of two pairs of neighbours
    const auto product = [&](const RopeTable& of_q, const RopeTable& of_k) {
        std::vector<double> q = x, k = x;
        of_q.rotate(q, 4, RopeLayout::neighbouring_pairs);
        of_k.rotate(k, 1, RopeLayout::neighbouring_pairs);
        return std::inner_product(q.begin(), q.end(), k.begin(), 0.0);
    };
    const RopeTable trained(5, 4, 10000), rescaled(5, 4, 22500);
    CHECK(near(product(rescaled, rescaled), 0.99980001, 1e-8));
    CHECK(near(product(rescaled, trained), 0.99986111, 1e-8)); // what a cache gives if the base changes meanwhile
    CHECK(near(product(trained, trained), std::cos(0.03)));

    // One shot and token by token agree, because a table never changes its base, not even when it grows.
    RopeTable one_shot(9, 4), token_by_token(1, 4);
    for (Index position = 0; position < 9; ++position) {
        token_by_token.grow(position + 1);
        std::vector<double> a{1, 2, 3, 4}, b = a;
        one_shot.rotate(a, position, RopeLayout::half_split);
        token_by_token.rotate(b, position, RopeLayout::half_split);
        CHECK(a == b);
    }
}

TEST_CASE("report 35: a bias by distance works in decode, and a shift of a whole row changes nothing")
{
    for (const double shift : {0.0, -1.0}) { // slope * j, slope * (j - i)
        OwnedProblem p = equal_scores(1, {1, 2, 3});
        p.bias = Tensor({1, 1, 1, 3}, {shift, 0.5 + shift, 1 + shift});
        expect_output(p, {2.320157}, 1e-6);
        CHECK(near(attention(p.problem()).weights(0, 0, 0, 0), 0.186324, 1e-6));
    }
}

TEST_CASE("report 37: the bound of a table of angles is on the position, not on the length of the chunk")
{
    RopeTable table(8, 4);
    CHECK_THROWS_AS(table.require(6, 4), std::invalid_argument);
    CHECK_NOTHROW(table.require(6, 2));
    CHECK_NOTHROW(table.require(8, 0));
    CHECK_THROWS_AS(table.require(9, 0), std::invalid_argument);
    CHECK_THROWS_AS(table.require(-1, 1), std::invalid_argument);
    CHECK_THROWS_AS(table.require(1, std::numeric_limits<Index>::max()), std::invalid_argument);
    std::vector<double> x(4, 1.0);
    CHECK_NOTHROW(table.rotate(x, 7, RopeLayout::half_split));
    CHECK_THROWS_AS(table.rotate(x, 8, RopeLayout::half_split), std::invalid_argument);
    table.grow(10);
    CHECK_NOTHROW(table.require(6, 4));
}

TEST_CASE("report 40: a chunk sees the context before it")
{
    const std::vector<double> values{0, 1, 2, 3, 4, 5}, expected{0, 0.5, 1, 1.5, 2, 2.5};
    for (const std::vector<Index>& chunks : {std::vector<Index>{6}, {4, 2}, {1, 5}, {2, 2, 2}}) {
        Index seen = 0;
        for (const Index size : chunks) {
            seen += size;
            expect_output(equal_scores(size, {values.begin(), values.begin() + seen}),
                          {expected.begin() + seen - size, expected.begin() + seen});
        }
    }
}
