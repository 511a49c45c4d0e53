// Laws of the counters: live, reserved, copied, peak and allocations, against memory that counts.
#include "reference/kv_cache/kv_cache.h"
#include "reference/tensor/random.h"
#include "tests/kv_cache/every_cache.h"
#include "tests/kv_cache/test_memory.h"
#include "tests/support/catch.h"

using namespace headroom;

namespace {

constexpr Index B = 2, Hkv = 3, D = 4, Dv = 2, layers = 2;
constexpr Index token = B * layers * Hkv * (D + Dv) * 4; // bytes of one position of the batch in f32

KvGeometry geometry()
{
    return {.layers = layers, .sequences = B, .kv_heads = Hkv, .head_dim = D, .value_dim = Dv, .type = DType::f32};
}

void step(KvCache& cache, Index n)
{
    cache.begin_step(std::vector<Index>(static_cast<std::size_t>(cache.geometry().sequences), n));
    const KvGeometry& g = cache.geometry();
    for (Index layer = 0; layer < g.layers; ++layer)
        cache.write(layer, Tensor({g.sequences, g.kv_heads, n, g.head_dim}, 1),
                    Tensor({g.sequences, g.kv_heads, n, g.value_dim}, 2));
    cache.end_step();
}

void check(const KvCache& cache, const TestMemory& memory, KvCounters wanted)
{
    const KvCounters found = cache.counters();
    CHECK(found.live == wanted.live);
    CHECK(found.reserved == wanted.reserved);
    CHECK(found.copied == wanted.copied);
    CHECK(found.peak == wanted.peak);
    CHECK(found.allocations == wanted.allocations);
    CHECK(memory.reserved == wanted.reserved);
    CHECK(memory.peak == wanted.peak);
    CHECK(memory.allocations == wanted.allocations);
}

} // namespace

TEST_CASE("concat at length n: reserved n, copied n - 1, peak 2n - 1 tokens, one allocation a layer and step")
{
    TestMemory memory;
    const auto cache = cache_kind("concat").make(geometry(), {.memory = &memory});
    check(*cache, memory, {});
    for (Index n = 1; n <= 20; ++n) {
        step(*cache, 1);
        check(*cache, memory,
              {.live = n * token,
               .reserved = n * token,
               .peak = (2 * n - 1) * token,
               .copied = (n - 1) * token,
               .allocations = n * layers});
    }
}

TEST_CASE("preallocated reserves max_length once and copies nothing")
{
    TestMemory memory;
    const auto cache = cache_kind("preallocated").make(geometry(), {.max_length = 9, .memory = &memory});
    for (Index n = 1; n <= 9; ++n) {
        step(*cache, 1);
        check(*cache, memory,
              {.live = n * token, .reserved = 9 * token, .peak = 9 * token, .copied = 0, .allocations = layers});
    }
}

TEST_CASE("growing: first max(initial, first append), then min(max, max(required, floor(capacity * factor)))")
{
    TestMemory memory;
    const CacheOptions options{.max_length = 20, .initial = 5, .growth = 1.5, .memory = &memory};
    const auto cache = cache_kind("growing").make(geometry(), options);
    check(*cache, memory, {}); // nothing before the first append
    step(*cache, 3);
    check(*cache, memory,
          {.live = 3 * token, .reserved = 5 * token, .peak = 5 * token, .copied = 0, .allocations = layers});
    step(*cache, 2); // exactly full
    CHECK(cache->counters().reserved == 5 * token);
    step(*cache, 1); // floor(7.5)
    check(
        *cache, memory,
        {.live = 6 * token, .reserved = 7 * token, .peak = 12 * token, .copied = 5 * token, .allocations = 2 * layers});
    step(*cache, 1);
    CHECK(cache->counters().copied == 0); // of this step
    step(*cache, 7);                      // required 14 > floor(10.5)
    check(*cache, memory,
          {.live = 14 * token,
           .reserved = 14 * token,
           .peak = 21 * token,
           .copied = 7 * token,
           .allocations = 3 * layers});
    step(*cache, 1); // floor(21) is more than the cap
    check(*cache, memory,
          {.live = 15 * token,
           .reserved = 20 * token,
           .peak = 34 * token,
           .copied = 14 * token,
           .allocations = 4 * layers});
    step(*cache, 5);
    CHECK_THROWS_AS(step(*cache, 1), std::length_error);
    CHECK(cache->lengths()[0] == 20);
    CHECK(cache->counters().allocations == 4 * layers);
}

TEST_CASE("a first append larger than the initial capacity gets exactly what it needs")
{
    const auto cache = cache_kind("growing").make(geometry(), {.max_length = 100, .initial = 5});
    step(*cache, 12);
    CHECK(cache->counters().reserved == 12 * token);
    step(*cache, 1);
    CHECK(cache->counters().reserved == 18 * token);
    cache->reset();
    CHECK(cache->counters().live == 0);
    step(*cache, 18); // what was reserved is used again
    CHECK(cache->counters().allocations == 2 * layers);
}

TEST_CASE("growing by 1.5 from 512 copies less than 3 tokens for each token stored, concat half of their square")
{
    const KvGeometry one{.kv_heads = 1, .head_dim = 1, .value_dim = 1};
    const auto growing = cache_kind("growing").make(one, {.max_length = 4096});
    const auto concat = cache_kind("concat").make(one, {});
    Index by_growing = 0, by_concat = 0;
    for (Index n = 1; n <= 2000; ++n) {
        step(*growing, 1);
        step(*concat, 1);
        by_growing += growing->counters().copied / 8;
        by_concat += concat->counters().copied / 8;
    }
    CHECK(by_growing == 512 + 768 + 1152 + 1728);
    CHECK(by_concat == 2000 * 1999 / 2);
}

TEST_CASE("reordering counts the rows that it moves, in every kind, and pages are not moved")
{
    for (const CacheKind& kind : cache_kinds()) {
        INFO(kind.name);
        const auto cache = kind.make(geometry(), {.max_length = 8, .initial = 8, .block = 4, .window = 8});
        step(*cache, 5);
        cache->select(std::vector<Index>{1, 0});
        CHECK(cache->counters().copied == (kind.name == "paged" ? 0 : 5 * token));
        step(*cache, 1);
        CHECK(cache->counters().copied == (kind.name == "concat" ? 5 * token : 0)); // of this step alone
    }
}

TEST_CASE("the types' bytes: 16 bits halve live bytes exactly, scales are counted in live and reserved")
{
    const auto live = [](DType type, Scaling scaling) {
        Random random(1);
        const Tensor k = random_normal({1, Hkv, 8, D}, random), v = random_normal({1, Hkv, 8, Dv}, random);
        const Uncached all = uncached(k, v, {type, scaling});
        const auto cache = cache_kind("concat").make(all.geometry, {});
        cache->append(k, v);
        CHECK(cache->counters().live == cache->counters().reserved);
        return cache->counters().live;
    };
    const Index f32 = 8 * Hkv * (D + Dv) * 4;
    CHECK(live(DType::f32, Scaling::none) == f32);
    CHECK(live(DType::f64, Scaling::none) == f32 * 2);
    CHECK(live(DType::f16, Scaling::none) == f32 / 2);
    CHECK(live(DType::bf16, Scaling::none) == f32 / 2);
    for (const DType type : {DType::f8e4m3, DType::i8}) {
        CHECK(live(type, Scaling::per_tensor) == f32 / 4 + 2 * 4);
        CHECK(live(type, Scaling::per_head) == f32 / 4 + 2 * Hkv * 4);
        CHECK(live(type, Scaling::per_head_and_token) == f32 / 4 + 2 * 8 * Hkv * 4);
        CHECK(live(type, Scaling::per_channel) == f32 / 4 + Hkv * D * 4 + 8 * Hkv * 4); // K's channels, V's rows
    }
}

TEST_CASE("no allocation of a step may fail and leave anything behind")
{
    for (const CacheKind& kind : cache_kinds()) {
        INFO(kind.name);
        TestMemory memory;
        const CacheOptions options{.max_length = 12, .initial = 4, .block = 4, .window = 8, .memory = &memory};
        const auto cache = kind.make(geometry(), options);
        for (Index n = 1; n <= 12; ++n) {
            for (Index fail = 0; fail < layers; ++fail) { // the first layer's allocation, then the second's
                const KvCounters before = cache->counters();
                memory.fail_after = fail;
                bool failed = false;
                try {
                    cache->begin_step(std::vector<Index>(B, 1));
                    cache->abandon_step();
                } catch (const std::bad_alloc&) {
                    failed = true;
                }
                memory.fail_after = -1;
                if (!failed) break;
                const KvCounters after = cache->counters();
                CHECK(after.live == before.live);
                CHECK(after.reserved == before.reserved);
                CHECK(after.copied == before.copied);
                CHECK(cache->lengths()[1] == n - 1);
            }
            step(*cache, 1);
        }
    }
}

TEST_CASE("what a geometry cannot be is refused in words")
{
    const auto make = [](KvGeometry g, CacheOptions o, std::string_view kind) { return cache_kind(kind).make(g, o); };
    CHECK_THROWS_WITH(make({.kv_heads = 0}, {}, "concat"), containing("kv_heads is 0"));
    CHECK_THROWS_WITH(make({.type = DType::i64}, {}, "concat"), containing("i64 is no storage type"));
    CHECK_THROWS_WITH(make({.type = DType::f16, .scaling = Scaling::per_head}, {}, "concat"),
                      containing("without scales"));
    CHECK_THROWS_WITH(make({.type = DType::i8, .scaling = Scaling::per_tensor}, {}, "concat"),
                      containing("K is stored with 1 static scales (per-tensor), 0 were given"));
    CHECK_THROWS_WITH(make({}, {.growth = 0.5}, "growing"), containing("at least 1"));
    CHECK_THROWS_WITH(make({}, {}, "ring"), containing("window"));
    CHECK_THROWS_WITH(make({}, {.block = 0}, "paged"), containing("block"));
    CHECK_THROWS_WITH(cache_kind("static"), containing("concat, preallocated, growing, paged, ring"));
    CHECK_THROWS_AS(make({.kv_heads = Index{1} << 40, .head_dim = Index{1} << 40}, {}, "preallocated"),
                    std::invalid_argument);
}
