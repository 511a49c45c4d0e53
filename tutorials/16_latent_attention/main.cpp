// One short row per token instead of keys and values: expanded for every head, or never expanded at all.
#include "reference/decoder/latent_attention.h"
#include "reference/kv_cache/kv_cache.h"
#include <algorithm>
#include <cmath>
#include <fmt/core.h>

using namespace headroom;

// Twenty tokens through one layer: 8 heads of 6 + 4 numbers, made from a latent of 12.
void same_numbers()
{
    const LatentGeometry g{.width = 32, .q_heads = 8, .kv_rank = 12, .nope_dim = 6, .rope_dim = 4, .value_dim = 6};
    Random random(16);
    const LatentWeights weights = random_latent_weights(g, random);
    const Tensor x = random_uniform({1, 20, g.width}, random, -1, 1); // [B, L, E]

    // All that is cached: for each token the latent and one key that carries the position, for all heads together.
    const auto cache = cache_kind("preallocated").make(latent_cache_geometry(g, 1, 1, DType::f64), {.max_length = 20});
    const Tensor rows = latent_rows(x, weights, 0); // [B, 1, L, kv_rank + rope_dim]
    cache->append(rows, Tensor());

    // Two ways to attend to it.
    const Tensor q = latent_queries(x, weights, 0); // [B, H, L, nope_dim + rope_dim]
    const Tensor expanded = expanded_attention(q, cache->view(0), weights);
    const Tensor absorbed = absorbed_attention(q, cache->view(0), weights);

    double difference = 0;
    for (std::size_t i = 0; i < expanded.values().size(); ++i)
        difference = std::max(difference, std::fabs(expanded.values()[i] - absorbed.values()[i]));
    fmt::print("cached rows {}\n", to_text(rows.shape()));
    fmt::print("queries     {}\n", to_text(q.shape()));
    fmt::print("expanded and absorbed {}\n\n", difference < 1e-12 ? "agree to 12 digits" : "differ");
}

Index token_bytes(const KvGeometry& geometry) // of a cache of one token, as it is allocated
{
    return cache_kind("preallocated").make(geometry, {.max_length = 1})->counters().reserved;
}

int main()
{
    same_numbers();

    // DeepSeek V3: 128 heads of 128 + 64 with values of 128, a latent of 512, 61 layers, bf16.
    const LatentGeometry g{
        .width = 7168, .q_heads = 128, .kv_rank = 512, .nope_dim = 128, .rope_dim = 64, .value_dim = 128};
    const auto with_heads = [&](Index kv_heads, Index head_dim) {
        return KvGeometry{
            .layers = 61, .kv_heads = kv_heads, .head_dim = head_dim, .value_dim = g.value_dim, .type = DType::bf16};
    };
    const Index all = token_bytes(with_heads(g.q_heads, g.head_dim()));
    fmt::print("bytes per token, 61 layers\n");
    for (const auto& [what, geometry] : {std::pair{"every head its own K and V", with_heads(g.q_heads, g.head_dim())},
                                         {"GQA, 8 KV heads of 128", with_heads(8, 128)},
                                         {"MLA, one row of 512 + 64", latent_cache_geometry(g, 61, 1, DType::bf16)},
                                         {"MQA, 1 KV head of 128", with_heads(1, 128)}})
        fmt::print("{:27} {:8}   {:6.2f} %\n", what, token_bytes(geometry),
                   100 * double(token_bytes(geometry)) / double(all));

    // What one query of all heads does with one cached token, in one layer.
    const Index H = g.q_heads, heads = H * (g.head_dim() + g.value_dim);
    const Index make = H * g.kv_rank * (g.nope_dim + g.value_dim), row = H * (g.kv_rank + g.rope_dim + g.kv_rank);
    fmt::print("\nmultiply-adds per cached token and decode step, one layer\n");
    fmt::print("expanded: to make K and V {}, to attend {}\n", make, heads);
    fmt::print("absorbed: to attend {}, which is {:.1f} times as many, on {:.0f} times fewer bytes\n", row,
               double(row) / double(heads),
               double(all) / double(token_bytes(latent_cache_geometry(g, 61, 1, DType::bf16))));
}
