// The laws of merging, and attention in tiles: equal to the reference however the keys are cut and in whatever order
// the parts come together.
#include "reference/attention/attention.h"
#include "reference/attention/online.h"
#include "reference/attention/online_softmax.h"
#include "tests/support/catch.h"
#include "tests/support/small_problem.h"
#include <algorithm>
#include <cmath>

using namespace headroom;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Index Dv = 3;

struct Key {
    double score;
    std::vector<double> value;
};

std::vector<Key> random_keys(Index n, std::uint64_t seed)
{
    Random random(seed);
    std::vector<Key> keys;
    for (Index j = 0; j < n; ++j)
        keys.push_back(
            {random.uniform(-30, 30), {random.uniform(-4, 4), random.uniform(-4, 4), random.uniform(-4, 4)}});
    return keys;
}

OnlineSoftmax state_of(std::span<const Key> keys)
{
    OnlineSoftmax state(Dv);
    for (const Key& key : keys) state.add(key.score, key.value);
    return state;
}

OnlineSoftmax merged(OnlineSoftmax a, const OnlineSoftmax& b)
{
    a.merge(b);
    return a;
}

bool close(double a, double b) { return a == b || std::fabs(a - b) <= 1e-14 * std::max(1.0, std::fabs(b)); }

bool same(const OnlineSoftmax& a, const OnlineSoftmax& b, std::optional<double> sink = {})
{
    const SoftmaxResult x = a.finish(sink), y = b.finish(sink);
    bool equal = close(x.lse, y.lse) && x.max == y.max && close(x.sum, y.sum);
    for (std::size_t d = 0; d < x.output.size(); ++d) equal = equal && close(x.output[d], y.output[d]);
    return equal;
}

bool same_bits(const OnlineSoftmax& a, const OnlineSoftmax& b)
{
    return a.max() == b.max() && a.sum() == b.sum() && std::ranges::equal(a.weighted(), b.weighted());
}

} // namespace

TEST_CASE("merging is commutative and associative")
{
    const OnlineSoftmax a = state_of(random_keys(5, 1)), b = state_of(random_keys(9, 2)),
                        c = state_of(random_keys(2, 3));
    CHECK(same(merged(a, b), merged(b, a)));
    CHECK(same(merged(merged(a, b), c), merged(a, merged(b, c))));
    CHECK(!same(a, b));
}

TEST_CASE("the empty state is neutral, bit for bit, on both sides")
{
    const OnlineSoftmax empty(Dv), some = state_of(random_keys(7, 4));
    CHECK(same_bits(merged(some, empty), some));
    CHECK(same_bits(merged(empty, some), some));
    CHECK(same_bits(merged(empty, empty), empty));
    const SoftmaxResult nothing = empty.finish();
    CHECK(nothing.lse == -infinity);
    CHECK(nothing.sum == 0);
    CHECK(std::ranges::count(nothing.output, 0.0) == Dv);
}

TEST_CASE("any split into 1, 2 or 8 parts, merged in any order, is the whole, and a sink counts once")
{
    const std::vector<Key> keys = random_keys(23, 5);
    const OnlineSoftmax whole = state_of(keys);
    for (const std::size_t parts : {1u, 2u, 8u}) {
        std::vector<std::size_t> order(parts);
        for (std::size_t p = 0; p < parts; ++p) order[p] = p;
        for (int shuffle = 0; shuffle < 20; ++shuffle) {
            OnlineSoftmax all(Dv);
            for (const std::size_t p : order)
                all.merge(state_of(std::span(keys).subspan(p * 3, p + 1 < parts ? 3 : keys.size() - p * 3)));
            CHECK(same(all, whole));
            CHECK(same(all, whole, 1.5));
            std::ranges::next_permutation(order);
        }
    }
    const SoftmaxResult with_sink = whole.finish(40);
    CHECK(with_sink.max == 40);
    CHECK(close(with_sink.lse, 40 + std::log1p(std::exp(whole.finish().lse - 40))));
}

TEST_CASE("a tile is its keys one by one")
{
    const std::vector<Key> keys = random_keys(6, 6);
    std::vector<double> scores, values;
    for (const Key& key : keys) {
        scores.push_back(key.score);
        values.insert(values.end(), key.value.begin(), key.value.end());
    }
    OnlineSoftmax tile(Dv);
    tile.add_tile(scores, values);
    CHECK(same(tile, state_of(keys)));
}

TEST_CASE("a score of -inf adds nothing, whatever its value holds")
{
    OnlineSoftmax state(Dv);
    const std::vector<double> nan(3, std::nan("")), one(3, 1.0);
    state.add(-infinity, nan);
    CHECK(state.finish().lse == -infinity);
    state.add(2, one);
    state.add(-infinity, nan);
    CHECK(state.finish().output == one);
    CHECK(state.finish().lse == 2);

    std::vector<double> values = nan; // the hidden key beside a seen one, in one tile
    values.insert(values.end(), one.begin(), one.end());
    OnlineSoftmax tile(Dv);
    tile.add_tile(std::vector<double>{-infinity, 2}, values);
    CHECK(same_bits(tile, state));
}

TEST_CASE("a NaN that is seen is not lost, wherever it comes in")
{
    const std::vector<double> one(3, 1.0);
    for (const int at : {0, 1, 2}) {
        OnlineSoftmax a(Dv), b(Dv);
        for (int n = 0; n < 3; ++n) (n < 2 ? a : b).add(n == at ? std::nan("") : n, one);
        CHECK(std::isnan(merged(a, b).finish().lse));
        CHECK(std::isnan(merged(b, a).finish(5).output[0]));
    }
}

TEST_CASE("large scores neither overflow nor vanish")
{
    OnlineSoftmax state(Dv);
    for (const double score : {-1e6, 1e6, 1e6 - 1}) state.add(score, std::vector<double>(3, score));
    CHECK(close(state.finish().lse, 1e6 + std::log1p(std::exp(-1.0))));
    CHECK(close(state.finish().output[0], 1e6 - 1 / (1 + std::exp(1.0))));
}

TEST_CASE("tiles of any size and any number of parts agree with the reference")
{
    OwnedProblem p = small_problem();
    Random random(9);
    p.bias = random_uniform({1, 4, 1, 5}, random);
    p.sink_logits = {0.5, -1, 2, -infinity};
    p.kv_lengths = {5, 0};
    const AttentionStages expected = attention(p.problem());
    for (const Index tile : {1, 2, 3, 5, 1000})
        for (const Index parts : {1, 2, 3, 8}) {
            const AttentionStages got = online_attention(p.problem(), {.tile = tile, .parts = parts});
            for (std::size_t n = 0; n < expected.output.values().size(); ++n)
                CHECK(close(got.output.values()[n], expected.output.values()[n]));
            for (std::size_t n = 0; n < expected.lse.values().size(); ++n)
                CHECK(close(got.lse.values()[n], expected.lse.values()[n]));
        }
    CHECK_THROWS_AS(online_attention(p.problem(), {.tile = 0}), std::invalid_argument);
    CHECK_THROWS_AS(online_attention(p.problem(), {.parts = 0}), std::invalid_argument);
}

TEST_CASE("tiles do not need memory for all scores")
{
    OwnedProblem p; // 2^20 queries and keys: their scores would be 2^43 bytes
    p.q = StoredTensor({1, 1, Index{1} << 20, 1}, DType::f16);
    p.k = StoredTensor({1, 1, Index{1} << 20, 1}, DType::f16);
    p.v = StoredTensor({1, 1, Index{1} << 20, 1}, DType::f16);
    p.options.window = 1;
    CHECK(online_attention(p.problem()).lse(0, 0, 12345) == 0);
}
