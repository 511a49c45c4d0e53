// What the viewer is told: every allocation, copy, write, eviction, sharing and freeing, with its bytes.
#include "reference/kv_cache/kv_cache.h"
#include "tests/support/catch.h"

using namespace headroom;
using Kind = CacheEvent::Kind;

namespace {

std::unique_ptr<KvCache> recorded(std::string_view kind, CacheOptions options)
{
    auto cache = cache_kind(kind).make({.type = DType::f32}, options);
    cache->record_events(true);
    return cache;
}

void append(KvCache& cache, Index n)
{
    const Tensor t({cache.geometry().sequences, 1, n, 1}, 1);
    cache.append(t, t);
}

struct Line {
    Kind kind;
    Index sequence, block, slot, rows;
    bool operator==(const Line&) const = default;
};

std::vector<Line> lines(KvCache& cache)
{
    std::vector<Line> all;
    for (const CacheEvent& e : cache.take_events()) {
        CHECK(e.bytes == e.rows * 8);
        all.push_back({e.kind, e.sequence, e.block, e.slot, e.rows});
    }
    return all;
}

} // namespace

TEST_CASE("concat: fresh storage, the old rows copied, the old storage freed, the new row written")
{
    const auto cache = recorded("concat", {});
    append(*cache, 3);
    CHECK(lines(*cache) == std::vector<Line>{{Kind::allocate, -1, 0, 0, 3}, {Kind::write, 0, 0, 0, 3}});
    append(*cache, 1);
    CHECK(lines(*cache) == std::vector<Line>{{Kind::allocate, -1, 0, 0, 4},
                                             {Kind::copy, 0, 0, 0, 3},
                                             {Kind::free, -1, 0, 0, 3},
                                             {Kind::write, 0, 0, 3, 1}});
}

TEST_CASE("paged: blocks taken, shared by a fork, copied by the writer, freed")
{
    const auto cache = recorded("paged", {.block = 2, .pool_blocks = 4});
    append(*cache, 3);
    CHECK(lines(*cache) == std::vector<Line>{{Kind::allocate, 0, 0, 0, 2},
                                             {Kind::allocate, 0, 1, 0, 2},
                                             {Kind::write, 0, 0, 0, 2},
                                             {Kind::write, 0, 1, 0, 1}});
    cache->select(std::vector<Index>{0, 0});
    CHECK(lines(*cache).size() == 4); // each of two rows uses each of two blocks
    cache->begin_step(std::vector<Index>{0, 1});
    cache->write(0, Tensor({2, 1, 1, 1}), Tensor({2, 1, 1, 1}));
    cache->end_step();
    CHECK(lines(*cache) ==
          std::vector<Line>{{Kind::allocate, 1, 2, 0, 2}, {Kind::copy, 1, 2, 0, 1}, {Kind::write, 1, 2, 1, 1}});
    cache->truncate(std::vector<Index>{3, 2});
    CHECK(lines(*cache) == std::vector<Line>{{Kind::free, 1, 2, 0, 2}});
}

TEST_CASE("ring: a row is evicted for each that is written beyond the window")
{
    const auto cache = recorded("ring", {.window = 2, .sinks = 1, .longest_append = 1});
    append(*cache, 3);
    cache->take_events();
    append(*cache, 1); // position 1 leaves, position 3 takes its slot
    CHECK(lines(*cache) == std::vector<Line>{{Kind::evict, 0, 1, 0, 1}, {Kind::write, 0, 1, 0, 1}});
}

TEST_CASE("nothing is recorded unless it is asked for")
{
    const auto cache = cache_kind("concat").make({}, {});
    append(*cache, 3);
    CHECK(cache->take_events().empty());
}
