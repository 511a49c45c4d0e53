// Faults that were reported of other projects' caches, each with its right answer. (Faults 7 and 8: ring_test.cpp.)
#include "reference/attention/attention.h"
#include "reference/kv_cache/kv_cache.h"
#include "tests/kv_cache/every_cache.h"
#include "tests/kv_cache/test_memory.h"
#include "tests/support/catch.h"
#include <array>
#include <limits>

using namespace headroom;

namespace {

Tensor row_of(const std::vector<double>& numbers)
{
    return Tensor({1, 1, static_cast<Index>(numbers.size()), 1}, numbers);
}

const std::array<std::string_view, 4> unlimited{"concat", "preallocated", "growing", "paged"};

} // namespace

TEST_CASE("fault 5: the never-written tail of the buffer may hold NaN")
{
    TestMemory memory; // filled with NaN
    const double infinity = std::numeric_limits<double>::infinity();
    const auto cache = cache_kind("preallocated").make({.type = DType::f32}, {.max_length = 4, .memory = &memory});
    cache->append(row_of({0, 0, infinity, infinity}), row_of({1, 3, infinity, infinity}));
    cache->truncate(std::vector<Index>{2});
    Tensor q({1, 1, 1, 1});
    CHECK(attention({.q = view(q), .kv = cache->view(0), .options = {}}).output(0, 0, 0, 0) == 2);
    const auto fresh = cache_kind("preallocated").make({.type = DType::f32}, {.max_length = 4, .memory = &memory});
    fresh->append(row_of({0, 0}), row_of({1, 3}));
    CHECK(attention({.q = view(q), .kv = fresh->view(0), .options = {}}).output(0, 0, 0, 0) == 2);
}

TEST_CASE("fault 17: the cache is allocated with KV heads, not with query heads")
{
    // One of Llama-3-8B's 32 layers, 8192 tokens, bf16: a 32nd of 1 GiB.
    TestMemory memory;
    const KvGeometry g{.kv_heads = 8, .head_dim = 128, .value_dim = 128, .type = DType::bf16};
    const auto cache = cache_kind("preallocated").make(g, {.max_length = 8192, .memory = &memory});
    CHECK(cache->counters().reserved * 32 == 1073741824);
    CHECK(memory.reserved * 32 == 1073741824);
}

TEST_CASE("fault 22: offsets do not wrap at 32 bits")
{
    // Pure index arithmetic: views of memory that is not there.
    const StoredView k = dense_view(nullptr, {16, 8, 131072, 128}, DType::bf16);
    CHECK(byte_offset(k, 15, 7, 131071, 127) / 2 == 2147483647); // the last that fits
    CHECK(byte_offset(k, 16, 0, 0) / 2 == 2147483648);           // 2^31
    const StoredView latent = dense_view(nullptr, {8000, 1, 480, 576}, DType::i8);
    CHECK(byte_offset(latent, 7767, 0, 0) == 2147420160);
    CHECK(byte_offset(latent, 7768, 0, 0) == 2147696640);
    CHECK(byte_offset(dense_view(nullptr, {70000, 8, 131072, 128}, DType::f32), 69999, 7, 131071, 127) ==
          Index{70000} * 8 * 131072 * 128 * 4 - 4);
}

TEST_CASE("fault 29: K's scale belongs to K and V's to V, in every kind")
{
    for (const CacheKind& kind : cache_kinds()) {
        INFO(kind.name);
        KvGeometry g{.type = DType::f8e4m3, .scaling = Scaling::per_tensor};
        g.scales = {{{0.5f}, {2.0f}}};
        const auto cache = kind.make(g, {.window = 4});
        cache->append(row_of({1}), row_of({3}));
        const KvView kv = cache->view(0);
        const Place at = place(kv, 0, 0);
        CHECK(value(kv.k, at.block, 0, at.slot, 0) == 1);
        CHECK(value(kv.v, at.block, 0, at.slot, 0) == 3);
        CHECK(decode(DType::f8e4m3, kv.k.data + byte_offset(kv.k, at.block, 0, at.slot)) == 2);
        CHECK(decode(DType::f8e4m3, kv.v.data + byte_offset(kv.v, at.block, 0, at.slot)) == 1.5);
        g.scales = {{{2.0f}, {2.0f}}};
        const auto wide = kind.make(g, {.window = 4});
        wide->append(row_of({896}), row_of({896}));
        CHECK(read(*wide, 0) == std::vector<double>{896}); // beyond 448, e4m3's largest
    }
}

TEST_CASE("fault 31: beams are reordered from the old rows, lengths move along, and nothing is skipped")
{
    for (const CacheKind& kind : cache_kinds()) {
        INFO(kind.name);
        const auto cache = kind.make({.sequences = 3}, {.max_length = 8, .initial = 2, .block = 2, .window = 8});
        Tensor t({3, 1, 3, 1});
        for (Index b = 0; b < 3; ++b)
            for (Index i = 0; i < 3; ++i) t(b, 0, i, 0) = static_cast<double>(10 * (b + 1) + i); // A 10…, B 20…, C 30…
        cache->begin_step(std::vector<Index>{1, 2, 3});
        cache->write(0, t, t);
        cache->end_step();
        const std::vector<double> A{10}, B{20, 21};
        cache->select(std::vector<Index>{1, 0, 0});
        CHECK(read(*cache, 0) == B);
        CHECK(read(*cache, 1) == A);
        CHECK(read(*cache, 2) == A);
        CHECK(std::ranges::equal(cache->lengths(), std::vector<Index>{2, 1, 1}));
        cache->select(std::vector<Index>{2, 2, 1});
        for (Index b = 0; b < 3; ++b) CHECK(read(*cache, b) == A);
        CHECK(std::ranges::equal(cache->lengths(), std::vector<Index>{1, 1, 1}));
    }
}

TEST_CASE("fault 38: truncate to 0, beyond the length, and by nothing, and the next append overwrites")
{
    for (const CacheKind& kind : cache_kinds()) {
        INFO(kind.name);
        const auto filled = [&] {
            auto cache = kind.make({}, {.max_length = 8, .initial = 2, .block = 2, .window = 8});
            cache->append(row_of({1, 2, 3}), row_of({1, 2, 3}));
            return cache;
        };
        const auto truncated = [&](Index length) {
            auto cache = filled();
            cache->truncate(std::vector<Index>{length});
            return read(*cache, 0);
        };
        CHECK(truncated(0).empty());
        CHECK(truncated(7) == std::vector<double>{1, 2, 3});
        CHECK(truncated(3) == std::vector<double>{1, 2, 3});
        const auto cache = filled();
        CHECK_THROWS_AS(cache->truncate(std::vector<Index>{-2}), std::invalid_argument);
        CHECK(cache->lengths()[0] == 3);
        cache->truncate(std::vector<Index>{1});
        cache->append(row_of({9}), row_of({9}));
        CHECK(read(*cache, 0) == std::vector<double>{1, 9});
        cache->reset();
        CHECK(read(*cache, 0).empty());
        cache->append(row_of({4}), row_of({4}));
        CHECK(read(*cache, 0) == std::vector<double>{4});
    }
}

TEST_CASE("fault 40: the second chunk sees the first")
{
    for (const std::string_view kind : unlimited)
        for (const std::vector<Index>& chunks : {std::vector<Index>{4, 2}, {1, 5}, {2, 2, 2}, {6}}) {
            INFO(kind << " in " << chunks.size() << " chunks");
            const auto cache = cache_kind(kind).make({}, {.max_length = 6, .initial = 2, .block = 4});
            std::vector<double> outputs;
            for (const Index n : chunks) {
                Tensor q({1, 1, n, 1}), k({1, 1, n, 1}), v({1, 1, n, 1});
                for (Index i = 0; i < n; ++i) v(0, 0, i, 0) = static_cast<double>(cache->lengths()[0] + i);
                cache->append(k, v);
                const AttentionStages step = attention({.q = view(q), .kv = cache->view(0), .options = {}});
                for (Index i = 0; i < n; ++i) outputs.push_back(step.output(0, 0, i, 0));
            }
            for (std::size_t i = 0; i < 6; ++i)
                CHECK(outputs[i] == Approx(0.5 * static_cast<double>(i)).epsilon(1e-15));
        }
}

TEST_CASE("fault 41: a full cache refuses and keeps what it has, and a capacity of 0 is full at once")
{
    for (const std::string_view kind : {"preallocated", "growing", "paged"}) {
        INFO(kind);
        const auto of_capacity = [&](Index capacity) {
            return cache_kind(kind).make({}, {.max_length = capacity, .initial = 2, .block = 4});
        };
        const auto append = [](KvCache& cache, const std::vector<double>& numbers) {
            cache.append(row_of(numbers), row_of(numbers));
        };
        const auto cache = of_capacity(4);
        append(*cache, {1, 2, 3, 4});
        CHECK_THROWS_AS(append(*cache, {5}), std::length_error);
        CHECK(read(*cache, 0) == std::vector<double>{1, 2, 3, 4});
        const auto other = of_capacity(4);
        append(*other, {1, 2, 3});
        CHECK_THROWS_AS(append(*other, {4, 5}), std::length_error);
        CHECK(read(*other, 0) == std::vector<double>{1, 2, 3});
        const auto third = of_capacity(4);
        CHECK_THROWS_AS(append(*third, {1, 2, 3, 4, 5}), std::length_error);
        CHECK(third->lengths()[0] == 0);
        const auto empty = of_capacity(0);
        CHECK_THROWS_AS(append(*empty, {1}), std::length_error);
        CHECK(empty->lengths()[0] == 0);
    }
}

TEST_CASE("a latent cache stores keys alone: its values are the first columns of its keys, in every kind")
{
    for (const CacheKind& kind : cache_kinds()) {
        INFO(kind.name);
        const KvGeometry g{.head_dim = 3, .value_dim = 2, .type = DType::f32, .value_in_key = true};
        const auto cache = kind.make(g, {.max_length = 8, .initial = 2, .block = 2, .window = 8});
        for (const double first : {1.0, 4.0, 7.0})
            cache->append(Tensor({1, 1, 1, 3}, {first, first + 1, first + 2}), Tensor());
        const KvView kv = cache->view(0);
        for (Index j = 0; j < 3; ++j) {
            const Place at = place(kv, 0, j);
            CHECK(value(kv.v, at.block, 0, at.slot, 0) == static_cast<double>(3 * j + 1));
            CHECK(value(kv.v, at.block, 0, at.slot, 1) == static_cast<double>(3 * j + 2));
        }
        CHECK(kv.v.extent[3] == 2);
        CHECK(cache->counters().live == 3 * 3 * 4);
    }
}
