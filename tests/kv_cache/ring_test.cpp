// The ring: a window and the first tokens, positions apart from slots.
#include "reference/attention/attention.h"
#include "reference/kv_cache/kv_cache.h"
#include "reference/tensor/random.h"
#include "tests/support/catch.h"
#include <limits>

using namespace headroom;

namespace {

// Keys 1 wide whose value is 10 + position / 100, so that what is stored can be read off.
Tensor numbered(Index from, Index tokens)
{
    Tensor t({1, 1, tokens, 1});
    for (Index i = 0; i < tokens; ++i) t(0, 0, i, 0) = 10 + static_cast<double>(from + i) / 100;
    return t;
}

std::unique_ptr<KvCache> ring(CacheOptions options) { return cache_kind("ring").make({.type = DType::f64}, options); }

void append(KvCache& cache, Index tokens)
{
    const Tensor t = numbered(cache.lengths()[0], tokens);
    cache.append(t, t);
}

std::vector<Index> stored_positions(const KvCache& cache)
{
    const KvView kv = cache.view(0);
    std::vector<Index> positions;
    for (Index j = 0; j < kv.length[0]; ++j) {
        positions.push_back(position(kv, 0, j));
        const Place at = place(kv, 0, j);
        REQUIRE(value(kv.k, at.block, 0, at.slot, 0) == 10 + static_cast<double>(positions.back()) / 100);
    }
    return positions;
}

} // namespace

TEST_CASE("fault 8: walking through the window's length loses nothing and doubles nothing")
{
    const auto cache = ring({.window = 8});
    append(*cache, 6);
    append(*cache, 1);
    CHECK(stored_positions(*cache) == std::vector<Index>{0, 1, 2, 3, 4, 5, 6});
    append(*cache, 1);
    CHECK(stored_positions(*cache) == std::vector<Index>{0, 1, 2, 3, 4, 5, 6, 7});
    append(*cache, 1);
    CHECK(stored_positions(*cache) == std::vector<Index>{1, 2, 3, 4, 5, 6, 7, 8});
    append(*cache, 1);
    CHECK(stored_positions(*cache) == std::vector<Index>{2, 3, 4, 5, 6, 7, 8, 9});
    CHECK(cache->lengths()[0] == 10);
}

TEST_CASE("fault 7: a prompt longer than the window, in one call and in pieces, sees no token of its future")
{
    for (const Index longest : {1, 3, 4, 6}) {
        INFO("longest_append " << longest);
        const auto cache = ring({.window = 4, .longest_append = longest});
        std::vector<double> outputs;
        while (cache->lengths()[0] < 6) {
            const Index first = cache->lengths()[0], n = std::min(longest, 6 - first);
            Tensor q({1, 1, n, 1}), k({1, 1, n, 1}), v({1, 1, n, 1});
            for (Index i = 0; i < n; ++i) v(0, 0, i, 0) = static_cast<double>(first + i);
            cache->begin_step(std::vector<Index>{n});
            cache->write(0, k, v);
            const AttentionStages step = attention({.q = view(q), .kv = cache->view(0), .options = {.window = 4}});
            for (Index i = 0; i < n; ++i) outputs.push_back(step.output(0, 0, i, 0));
            cache->end_step();
        }
        CHECK(outputs == std::vector<double>{0, 0.5, 1, 1.5, 2.5, 3.5});
    }
}

TEST_CASE("the sinks stay, the window moves, and 500 steps take the same bytes")
{
    const auto cache = ring({.window = 64, .sinks = 4, .longest_append = 32});
    append(*cache, 100);
    const KvCounters before = cache->counters();
    CHECK(before.live == (64 + 4) * 16);
    CHECK(before.reserved == (4 + 63 + 32) * 16);
    for (int i = 0; i < 500; ++i) {
        append(*cache, 1);
        const KvCounters now = cache->counters();
        REQUIRE(now.live == before.live);
        REQUIRE(now.reserved == before.reserved);
        REQUIRE(now.peak == before.peak);
        REQUIRE(now.copied == 0);
        REQUIRE(now.allocations == 1);
    }
    std::vector<Index> wanted{0, 1, 2, 3};
    for (Index p = 600 - 64; p < 600; ++p) wanted.push_back(p);
    CHECK(stored_positions(*cache) == wanted);
}

TEST_CASE("a ring goes back as far as the next token's window still stands in it, and refuses by name beyond")
{
    const auto cache = ring({.window = 4, .sinks = 2, .longest_append = 3}); // 6 slots behind the sinks
    append(*cache, 20);                                                      // in steps of 3, the last one of 2
    CHECK(stored_positions(*cache) == std::vector<Index>{0, 1, 16, 17, 18, 19});
    CHECK_THROWS_WITH(cache->truncate(std::vector<Index>{16}), containing("positions 13 … 13 are evicted"));
    CHECK(cache->lengths()[0] == 20);
    CHECK(stored_positions(*cache) == std::vector<Index>{0, 1, 16, 17, 18, 19});
    cache->truncate(std::vector<Index>{17});
    CHECK(stored_positions(*cache) == std::vector<Index>{0, 1, 14, 15, 16});
    append(*cache, 1);
    CHECK(stored_positions(*cache) == std::vector<Index>{0, 1, 14, 15, 16, 17});
    cache->truncate(std::vector<Index>{2}); // the sinks alone
    CHECK(stored_positions(*cache) == std::vector<Index>{0, 1});
    append(*cache, 5);
    CHECK(stored_positions(*cache) == std::vector<Index>{0, 1, 3, 4, 5, 6});
    cache->reset();
    append(*cache, 3);
    CHECK(stored_positions(*cache) == std::vector<Index>{0, 1, 2});
}

TEST_CASE("a ring that no memory holds is refused in words, not by the sum of its parts that overflows")
{
    constexpr Index most = std::numeric_limits<Index>::max();
    for (const CacheOptions& o : {CacheOptions{.window = most}, CacheOptions{.window = 4, .sinks = most},
                                  CacheOptions{.window = 4, .longest_append = most}})
        CHECK_THROWS_WITH(ring(o), containing("2^48 tokens"));
}

TEST_CASE("during a step of n tokens the view has the sinks and the window - 1 + n newest keys, no more")
{
    for (const Index n : {1, 2, 3}) {
        const auto cache = ring({.window = 4, .sinks = 2, .longest_append = 3});
        append(*cache, 20);
        cache->begin_step(std::vector<Index>{n});
        CHECK(cache->view(0).length[0] == 2 + 4 - 1 + n);
        CHECK(position(cache->view(0), 0, 2) == 17);
    }
}

TEST_CASE("rows that move take along what is visible, and not what was evicted")
{
    const auto cache = cache_kind("ring").make({.sequences = 2, .type = DType::f64}, {.window = 4, .sinks = 2});
    cache->append(Tensor({2, 1, 50, 1}, 1), Tensor({2, 1, 50, 1}, 2));
    cache->select(std::vector<Index>{1, 0});
    CHECK(cache->counters().copied == 2 * (2 + 4) * 16);
}

TEST_CASE("a step that was begun and abandoned leaves the window of the next token in place")
{
    const auto cache = ring({.window = 4, .longest_append = 3});
    append(*cache, 10);
    cache->begin_step(std::vector<Index>{3});
    cache->write(0, numbered(90, 3), numbered(90, 3));
    cache->abandon_step();
    CHECK(stored_positions(*cache) == std::vector<Index>{7, 8, 9});
    append(*cache, 1);
    CHECK(stored_positions(*cache) == std::vector<Index>{7, 8, 9, 10});
}

TEST_CASE("in-cache positions (StreamingLLM): keys stand where they lie, so distances to the sinks stay small")
{
    const auto cache = ring({.window = 4, .sinks = 2, .positions = RingPositions::in_cache});
    CHECK(cache->longest_append() == 1); // or distances would depend on the chunks
    CHECK_THROWS_AS(cache->begin_step(std::vector<Index>{2}), std::invalid_argument);
    append(*cache, 50);
    const KvView kv = cache->view(0);
    CHECK(kv.length[0] == 6);
    CHECK(cache->lengths()[0] == 50); // tokens seen, still
    for (Index j = 0; j < 6; ++j) CHECK(position(kv, 0, j) == j);
    const Place newest = place(kv, 0, 5), first_of_window = place(kv, 0, 2);
    CHECK(value(kv.k, newest.block, 0, newest.slot, 0) == 10.49);
    CHECK(value(kv.k, first_of_window.block, 0, first_of_window.slot, 0) == 10.46);

    // The next query stands behind the stored keys, at position 6 - 1 + 1 once its own key is there.
    cache->begin_step(std::vector<Index>{1});
    cache->write(0, numbered(50, 1), numbered(50, 1));
    Tensor q({1, 1, 1, 1});
    const AttentionStages step = attention({.q = view(q), .kv = cache->view(0), .options = {.window = 4, .sinks = 2}});
    CHECK(cache->positions_in_cache() == 2 + 4);
    CHECK(step.output(0, 0, 0, 0) == Approx((10.00 + 10.01 + 10.47 + 10.48 + 10.49 + 10.50) / 6).epsilon(1e-15));
    cache->end_step();
}
