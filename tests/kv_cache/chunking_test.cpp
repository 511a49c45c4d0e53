#include "reference/attention/attention.h"
#include "reference/kv_cache/kv_cache.h"
#include "reference/tensor/random.h"
#include "tests/support/catch.h"

using namespace headroom;

TEST_CASE("token by token through any cache gives the bits of attention without a cache")
{
    Random random(7);
    const Index B = 2, H = 6, Hkv = 2, T = 20, D = 5;
    const Tensor q = random_uniform({B, H, T, D}, random), k = random_uniform({B, Hkv, T, D}, random),
                 v = random_uniform({B, Hkv, T, D}, random);
    const std::vector<Index> lengths(B, T);
    const AttentionStages whole = attention(
        {.q = view(q), .kv = {.k = view(k), .v = view(v), .sequences = B, .length = lengths.data()}, .options = {}});
    const auto token = [](const Tensor& t, Index at) {
        Tensor one({t.extent(0), t.extent(1), 1, t.extent(3)});
        for (Index b = 0; b < t.extent(0); ++b)
            for (Index h = 0; h < t.extent(1); ++h) std::ranges::copy(t.row(b, h, at), one.row(b, h, 0).begin());
        return one;
    };
    for (const CacheKind& kind : cache_kinds()) {
        INFO(kind.name);
        const auto cache =
            kind.make({.sequences = B, .kv_heads = Hkv, .head_dim = D, .value_dim = D, .type = DType::f64},
                      {.max_length = T, .initial = 4, .block = 4, .window = T, .longest_append = 3});
        for (Index t = 0; t < T; ++t) {
            cache->append(token(k, t), token(v, t));
            const Tensor one = token(q, t);
            const AttentionStages step = attention({.q = view(one), .kv = cache->view(0), .options = {}});
            for (Index b = 0; b < B; ++b)
                for (Index h = 0; h < H; ++h)
                    REQUIRE(std::ranges::equal(step.output.row(b, h, 0), whole.output.row(b, h, t)));
        }
    }
}
