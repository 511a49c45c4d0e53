// Pages: forks share, writers copy, equal beginnings are found again, an exhausted pool loses nothing.
#include "reference/kv_cache/paged.h"
#include "tests/kv_cache/every_cache.h"
#include "tests/support/catch.h"
#include <numeric>

using namespace headroom;

namespace {

constexpr Index block = 4;

// One head, one number wide; the numbers are what a test says.
struct Pages {
    PagedCache cache;
    Pages(Index sequences, Index pool, PrefixHash hash = fnv1a_chain)
        : cache({.sequences = sequences, .type = DType::f32}, {.block = block, .pool_blocks = pool}, hash)
    {}
    void append(Index sequence, const std::vector<double>& numbers)
    {
        const Index B = cache.geometry().sequences, n = static_cast<Index>(numbers.size());
        Tensor t({B, 1, n, 1});
        for (Index i = 0; i < n; ++i) t(sequence, 0, i, 0) = numbers[static_cast<std::size_t>(i)];
        std::vector<Index> lengths(static_cast<std::size_t>(B));
        lengths[static_cast<std::size_t>(sequence)] = n;
        cache.begin_step(lengths);
        cache.write(0, t, t);
        cache.end_step();
    }
    std::vector<double> read(Index sequence) const { return headroom::read(cache, sequence); }
};

std::vector<double> counted(Index from, Index n)
{
    std::vector<double> numbers(static_cast<std::size_t>(n));
    std::iota(numbers.begin(), numbers.end(), static_cast<double>(from));
    return numbers;
}

} // namespace

TEST_CASE("a fork shares every block and costs no bytes, and who writes first copies the partly filled one")
{
    Pages p(1, 8);
    p.append(0, counted(0, 6));
    p.cache.select(std::vector<Index>{0, 0, 0});
    const KvCounters forked = p.cache.counters();
    CHECK(forked.live == 6 * 8); // shared rows count once
    CHECK(forked.copied == 0);
    CHECK(p.cache.pages().shared_blocks == 2);
    CHECK(p.cache.pages().free_blocks == 6);
    CHECK(p.cache.pages().wasted_rows == 2);

    p.append(1, {100});
    CHECK(p.cache.counters().copied == 2 * 8); // the two old rows of the second block
    CHECK(p.cache.counters().live == (6 + 3) * 8);
    CHECK(p.cache.pages().free_blocks == 5);
    p.append(0, {200});
    p.append(2, {300}); // the last user of the block need not copy
    CHECK(p.cache.counters().copied == 0);
    CHECK(p.cache.pages().free_blocks == 4);
    for (const auto& [sequence, last] : {std::pair<Index, double>{0, 200}, {1, 100}, {2, 300}}) {
        std::vector<double> wanted = counted(0, 6);
        wanted.push_back(last);
        CHECK(p.read(sequence) == wanted);
    }
}

TEST_CASE("full blocks stay shared when the forks go on")
{
    Pages p(1, 8);
    p.append(0, counted(0, 8));
    p.cache.select(std::vector<Index>{0, 0});
    p.append(0, {1});
    p.append(1, {2});
    CHECK(p.cache.pages().shared_blocks == 2);
    CHECK(p.cache.counters().copied == 0);
    CHECK(p.cache.blocks_of(0)[1] == p.cache.blocks_of(1)[1]);
    CHECK(p.cache.blocks_of(0)[2] != p.cache.blocks_of(1)[2]);
}

TEST_CASE("an exhausted pool refuses the step in words and nothing is lost, and freed blocks serve again")
{
    Pages p(2, 3);
    p.append(0, counted(0, 7));
    p.append(1, counted(50, 3));
    CHECK_THROWS_WITH(p.append(1, counted(0, 2)),
                      containing("the pool of 3 blocks of 4 tokens has 0 free, this step needs 1"));
    CHECK(p.read(0) == counted(0, 7));
    CHECK(p.read(1) == counted(50, 3));
    p.append(1, {53}); // exactly full is allowed
    p.append(0, {7});
    CHECK(p.read(0) == counted(0, 8));
    p.cache.truncate(std::vector<Index>{4, 4});
    p.append(1, counted(54, 4));
    CHECK(p.read(1) == counted(50, 8));
    CHECK(p.read(0) == counted(0, 4));
}

TEST_CASE("copy-on-write needs a free block: without one the step is refused and the fork stays whole")
{
    Pages p(1, 2);
    p.append(0, counted(0, 6));
    p.cache.select(std::vector<Index>{0, 0});
    CHECK_THROWS_AS(p.append(0, {9}), std::length_error);
    CHECK(p.read(0) == counted(0, 6));
    CHECK(p.read(1) == counted(0, 6));
    CHECK(p.cache.pages().shared_blocks == 2);
    p.cache.select(std::vector<Index>{1});
    p.append(0, {9});
    CHECK(p.read(0).back() == 9);
}

TEST_CASE("forks that all write in one step need one copy less than there are forks: exactly full is allowed")
{
    PagedCache cache({.type = DType::f32}, {.block = block, .pool_blocks = 3});
    const Tensor six({1, 1, 6, 1}, 5);
    cache.append(six, six);
    cache.select(std::vector<Index>{0, 0});
    const Tensor one({2, 1, 1, 1}, {7, 8});
    cache.append(one, one);
    CHECK(cache.pages().free_blocks == 0);
    CHECK(cache.pages().shared_blocks == 1);
    for (const Index b : {0, 1}) {
        const Place last = place(cache.view(0), b, 6);
        CHECK(value(cache.view(0).k, last.block, 0, last.slot, 0) == static_cast<double>(7 + b));
    }
}

TEST_CASE("sequences with the same beginning share its full blocks, also after the first one is gone")
{
    Pages p(3, 8);
    const std::vector<std::int32_t> tokens{5, 6, 7, 8, 9, 10, 11, 12, 13};
    p.append(0, counted(0, 9));
    p.cache.publish(0, tokens);
    CHECK(p.cache.adopt_prefix(1, tokens) == 8); // the ninth token's block is not full
    CHECK(p.read(1) == counted(0, 8));
    CHECK(p.cache.pages().shared_blocks == 2);
    CHECK(p.cache.counters().live == 9 * 8);

    const std::vector<std::int32_t> other{5, 6, 7, 8, 9, 10, 11, 99};
    CHECK(p.cache.adopt_prefix(2, other) == 4); // the second block's tokens differ
    p.append(2, {70, 71});
    CHECK(p.read(2) == std::vector<double>{0, 1, 2, 3, 70, 71});
    CHECK(p.read(0) == counted(0, 9));

    p.cache.reset();
    CHECK(p.cache.pages().free_blocks == 8);
    CHECK(p.cache.adopt_prefix(2, tokens) == 8); // freed, not yet overwritten
    CHECK(p.read(2) == counted(0, 8));
    CHECK_THROWS_AS(p.cache.adopt_prefix(2, tokens), std::invalid_argument); // not empty
}

TEST_CASE("a freed block that is used again is no longer found")
{
    Pages p(2, 2);
    const std::vector<std::int32_t> tokens{1, 2, 3, 4, 5, 6, 7, 8};
    p.append(0, counted(0, 8));
    p.cache.publish(0, tokens);
    p.cache.reset();
    p.append(1, counted(90, 8)); // takes both blocks
    CHECK(p.cache.adopt_prefix(0, tokens) == 0);
    CHECK(p.read(0).empty());
}

TEST_CASE("a published block that its owner truncates and overwrites is no longer found")
{
    Pages p(2, 4);
    const std::vector<std::int32_t> tokens{1, 2, 3, 4};
    p.append(0, counted(0, 4));
    p.cache.publish(0, tokens);
    p.cache.truncate(std::vector<Index>{2, 0});
    CHECK(p.cache.adopt_prefix(1, tokens) == 4); // still whole
    p.append(0, {55});                           // so its owner copies
    CHECK(p.read(1) == counted(0, 4));
    CHECK(p.read(0) == std::vector<double>{0, 1, 55});
    p.cache.truncate(std::vector<Index>{0, 3});
    p.append(1, {66}); // the only user writes into it
    CHECK(p.cache.adopt_prefix(0, tokens) == 0);
}

TEST_CASE("a hit is verified by tokens: with a hash that always collides nothing foreign is shared")
{
    const PrefixHash colliding = [](std::uint64_t, TokenSpan) { return std::uint64_t{42}; };
    Pages p(4, 12, colliding);
    const std::vector<std::int32_t> first{1, 2, 3, 4, 5, 6, 7, 8}, second{5, 6, 7, 8, 1, 2, 3, 4},
        third{1, 2, 3, 4, 1, 2, 3, 4};
    p.append(0, counted(0, 8));
    p.append(1, counted(50, 8));
    p.cache.publish(0, first);
    p.cache.publish(1, second);
    CHECK(p.cache.adopt_prefix(2, second) == 8);
    CHECK(p.read(2) == counted(50, 8));
    CHECK(p.cache.adopt_prefix(3, third) == 4); // 1 2 3 4 in the second place has another beginning
    CHECK(p.read(3) == counted(0, 4));
}

TEST_CASE("the chain is verified from its first token: a reused block does not become the beginning of an old end")
{
    const PrefixHash colliding = [](std::uint64_t, TokenSpan) { return std::uint64_t{42}; };
    Pages p(3, 3, colliding);
    p.append(0, counted(0, 8));
    p.cache.publish(0, std::vector<std::int32_t>{1, 1, 1, 1, 2, 2, 2, 2});
    p.cache.reset();             // the queue: the unused block, then the end, then the beginning
    p.append(1, counted(50, 4)); // the unused one
    p.append(1, counted(54, 4)); // the end's block: forgotten
    p.cache.publish(1, std::vector<std::int32_t>{3, 3, 3, 3, 2, 2, 2, 2});
    CHECK(p.cache.adopt_prefix(0, std::vector<std::int32_t>{1, 1, 1, 1, 2, 2, 2, 2}) == 4);
    CHECK(p.read(0) == counted(0, 4));
    CHECK(p.cache.adopt_prefix(2, std::vector<std::int32_t>{3, 3, 3, 3, 2, 2, 2, 2}) == 8);
    CHECK(p.read(2) == counted(50, 8));
}

TEST_CASE("the pool runs out at every point of a history: each time the refused step has changed nothing")
{
    const std::vector<Index> sizes{3, 1, 5, 2, 4, 1, 6, 3};
    for (Index pool = 0; pool <= 12; ++pool) {
        Pages p(2, std::max<Index>(pool, 1));
        std::vector<std::vector<double>> model(2);
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const Index b = static_cast<Index>(i % 2);
            const std::vector<double> numbers = counted(static_cast<Index>(10 * i), sizes[i]);
            const Index free_before = p.cache.pages().free_blocks;
            try {
                p.append(b, numbers);
                std::vector<double>& row = model[static_cast<std::size_t>(b)];
                row.insert(row.end(), numbers.begin(), numbers.end());
            } catch (const std::length_error&) {
                CHECK(p.cache.pages().free_blocks == free_before);
            }
            if (i == 4) { // fork in the middle
                p.cache.select(std::vector<Index>{0, 0});
                model[1] = model[0];
            }
            CHECK(p.read(0) == model[0]);
            CHECK(p.read(1) == model[1]);
        }
        p.cache.reset();
        CHECK(p.cache.pages().free_blocks == std::max<Index>(pool, 1));
    }
}

TEST_CASE("blocks are taken in the order in which they were freed")
{
    BlockPool pool(3);
    CHECK(pool.take() == 0);
    CHECK(pool.take() == 1);
    pool.release(1);
    pool.release(0);
    CHECK(pool.take() == 2);
    CHECK(pool.take() == 1);
    pool.share(0); // out of the middle of the queue
    CHECK(pool.free_blocks() == 0);
    pool.share(0);
    CHECK(pool.shared_blocks() == 1);
    pool.release(0);
    CHECK(pool.references(0) == 1);
}
