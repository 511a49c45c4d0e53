#include "experiments/cache_run.h"
#include "experiments/latent_cache.h"
#include "experiments/storage_error.h"
#include "tests/support/catch.h"
#include <limits>

using namespace headroom;

TEST_CASE("a cache run has an entry for the prefill and one for each step, counted by the cache itself")
{
    CacheSettings s{.kind = "concat",
                    .geometry = {.sequences = 2, .kv_heads = 3, .head_dim = 4, .value_dim = 4},
                    .prefill = 5,
                    .steps = 7};
    const CacheRun run = run_cache(s);
    const Index token = 2 * 3 * 8 * 4;
    REQUIRE(run.steps.size() == 8);
    for (std::size_t i = 0; i < run.steps.size(); ++i) {
        const Index n = 5 + static_cast<Index>(i);
        CHECK(run.steps[i].length == n);
        CHECK(run.steps[i].counters.live == n * token);
        CHECK(run.steps[i].counters.reserved == n * token);
        CHECK(run.steps[i].counters.copied == (i == 0 ? 0 : (n - 1) * token));
        CHECK(run.steps[i].counters.peak == (i == 0 ? n : 2 * n - 1) * token);
    }
    s.prefill = 0;
    CHECK(run_cache(s).steps.size() == 7);
    CHECK(run_cache(s).steps.front().length == 1);
}

TEST_CASE("every kind runs in every storage type, and a ring takes a long prefill in pieces and is one entry")
{
    for (const CacheKind& kind : cache_kinds())
        for (const auto& [type, scaling] : storage_choices()) {
            CacheSettings s{.kind = std::string(kind.name), .prefill = 100, .steps = 3};
            s.geometry.type = type;
            s.geometry.scaling = scaling;
            const CacheRun run = run_cache(s);
            REQUIRE(run.steps.size() == 4);
            CHECK(run.steps.front().length == 100);
            CHECK(run.steps.back().counters.live > 0);
            CHECK(run.pages.has_value() == (kind.name == "paged"));
        }
}

TEST_CASE("what cannot be run is refused in words")
{
    const auto refused = [](CacheSettings s, const char* words) { CHECK_THROWS_WITH(run_cache(s), containing(words)); };
    refused({.kind = "static"}, "unknown");
    refused({.steps = 0}, "steps is 0");
    refused({.prefill = -1}, "prefill is -1");
    refused({.geometry = {.sequences = 0}}, "batch is 0");
    constexpr Index most = std::numeric_limits<Index>::max(); // before anything of that size is allocated
    refused({.geometry = {.layers = Index{1} << 29}}, "at most 2^28");
    refused({.geometry = {.layers = most}}, "at most 2^28");
    refused({.geometry = {.layers = most, .kv_heads = 4}}, "too many elements");
    refused({.geometry = {.sequences = 1'000'000'000}}, "at most 2^28");
    refused({.kind = "preallocated", .options = {.max_length = 4}, .steps = 5}, "4 tokens, 5 were asked for");
}

TEST_CASE("a storage type's own error: none for f32, and about what its mantissa says for the others")
{
    const auto error = [](DType type, Scaling scaling) {
        return storage_error(type, scaling, {.tokens = 64, .queries = 4});
    };
    const StorageError f32 = error(DType::f32, Scaling::none), f16 = error(DType::f16, Scaling::none),
                       bf16 = error(DType::bf16, Scaling::none), f8 = error(DType::f8e4m3, Scaling::per_head_and_token),
                       i8 = error(DType::i8, Scaling::per_head_and_token);
    CHECK(f32.k == 0);
    CHECK(f32.output == 0);
    for (const auto& [e, k] : {std::pair{f16, 2e-4}, {bf16, 1.7e-3}, {f8, 2.6e-2}, {i8, 6e-3}}) {
        INFO(name(e.type));
        CHECK(e.k == Approx(k).epsilon(0.25)); // a uniform rounding error within a step, relative to the number
        CHECK(e.v == Approx(k).epsilon(0.25));
        CHECK(e.output < 3 * k);
    }
}

TEST_CASE("latent attention on a real cache: both computations agree, and its bytes stand beside the others'")
{
    LatentSettings s;
    s.geometry = {.width = 24, .q_heads = 4, .kv_rank = 16, .nope_dim = 8, .rope_dim = 4, .value_dim = 8};
    s.layers = 3;
    s.gqa_kv_heads = 2;
    const LatentRun run = run_latent(s);
    CHECK(run.tokens == 16);
    CHECK(run.largest_output > 0.1);
    CHECK(run.max_difference < 1e-13);
    std::vector<Index> bytes;
    for (const CacheSize& size : run.sizes) bytes.push_back(size.bytes_per_token);
    CHECK(bytes == std::vector<Index>{3 * 20 * 2, 3 * 4 * 20 * 2, 3 * 4 * 16 * 2, 3 * 2 * 16 * 2, 3 * 16 * 2});
    LatentSettings huge = s;
    huge.layers = std::numeric_limits<Index>::max();
    CHECK_THROWS_WITH(run_latent(huge), containing("layers is 9223372036854775807, it must be at least 1 and at most"));
    s.geometry.rope_dim = 3;
    CHECK_THROWS_WITH(run_latent(s), containing("rope is 3"));
}
