// Law: any chunking of the same tokens through any cache, in any storage type, has the bits of attention without one.
#include "reference/attention/attention.h"
#include "reference/tensor/random.h"
#include "tests/kv_cache/every_cache.h"
#include "tests/kv_cache/test_memory.h"
#include "tests/support/catch.h"
#include <cmath>

using namespace headroom;

namespace {

constexpr Index B = 2, H = 4, Hkv = 2, D = 5, Dv = 3, W = 6, sinks = 2, block = 4, T = 23;

struct Sample {
    Tensor q, k, v;
};
Sample sample()
{
    Random random(7);
    return {random_uniform({B, H, T, D}, random), random_uniform({B, Hkv, T, D}, random),
            random_uniform({B, Hkv, T, Dv}, random)};
}

// Steps of a fixed size for one sequence, of another for its neighbour, until both have T tokens.
void check_chunking(KvCache& cache, const Sample& s, const AttentionStages& whole, Index chunk, Index other_chunk,
                    const AttentionOptions& options)
{
    while (cache.lengths()[0] < T || cache.lengths()[1] < T) {
        const std::vector<Index> first(cache.lengths().begin(), cache.lengths().end());
        const std::vector<Index> n{std::min({chunk, cache.longest_append(), T - first[0]}),
                                   std::min({other_chunk, cache.longest_append(), T - first[1]})};
        const Index L = std::max(n[0], n[1]);
        const Tensor q = tokens(s.q, first, L);
        cache.begin_step(n);
        cache.write(0, tokens(s.k, first, L), tokens(s.v, first, L));
        const AttentionStages step =
            attention({.q = view(q), .kv = cache.view(0), .options = options, .query_length = n.data()});
        for (Index b = 0; b < B; ++b)
            for (Index h = 0; h < H; ++h)
                for (Index i = 0; i < n[static_cast<std::size_t>(b)]; ++i) {
                    const Index at = first[static_cast<std::size_t>(b)] + i;
                    if (!std::ranges::equal(step.output.row(b, h, i), whole.output.row(b, h, at)) ||
                        step.lse(b, h, i) != whole.lse(b, h, at))
                        FAIL("sequence " << b << ", head " << h << ", token " << at);
                }
        cache.end_step();
    }
}

} // namespace

TEST_CASE("any chunking through any cache in any storage type has the bits of attention without a cache")
{
    const Sample s = sample();
    TestMemory memory;
    const CacheOptions options{.max_length = T,
                               .initial = 4,
                               .block = block,
                               .window = W,
                               .sinks = sinks,
                               .longest_append = 7,
                               .memory = &memory};
    for (const Storage& storage : every_storage()) {
        Uncached all = uncached(s.k, s.v, storage);
        for (const bool windowed : {false, true}) {
            const AttentionOptions mask{.window = windowed ? W : 0, .sinks = windowed ? sinks : 0};
            const AttentionStages whole = attention({.q = view(s.q), .kv = all.view(T), .options = mask});
            REQUIRE(std::isfinite(whole.output(0, 0, T - 1, 0)));
            for (const CacheKind& kind : cache_kinds()) {
                if (kind.name == "ring" && !windowed) continue; // it has given up what the mask would show
                for (const Index chunk : {Index{1}, block - 1, block, block + 1, W - 1, W, W + 1, T})
                    for (const Index other : {Index{1}, chunk}) {
                        INFO(kind.name << " " << name(storage) << " chunks " << chunk << ", " << other
                                       << (windowed ? " windowed" : ""));
                        const auto cache = kind.make(all.geometry, options);
                        check_chunking(*cache, s, whole, chunk, other, mask);
                    }
            }
        }
    }
    CHECK(memory.reserved == 0); // all caches gone, all bytes given back
}

TEST_CASE("stored as f64, and as f32 for numbers that are floats, nothing is lost: the bits of the unstored numbers")
{
    Sample s = sample();
    for (Tensor* t : {&s.k, &s.v})
        for (double& x : t->values()) x = static_cast<double>(static_cast<float>(x));
    const std::vector<Index> lengths(B, T);
    const AttentionStages raw =
        attention({.q = view(s.q),
                   .kv = {.k = view(s.k), .v = view(s.v), .sequences = B, .length = lengths.data()},
                   .options = {}});
    for (const DType type : {DType::f64, DType::f32}) {
        Uncached all = uncached(s.k, s.v, {type, Scaling::none});
        for (const CacheKind& kind : cache_kinds()) {
            if (kind.name == "ring") continue;
            const auto cache = kind.make(all.geometry, {.max_length = T, .initial = 4, .block = block});
            check_chunking(*cache, s, raw, 5, 3, {});
        }
    }
}
