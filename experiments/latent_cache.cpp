#include "experiments/latent_cache.h"

#include "reference/kv_cache/kv_cache.h"
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

namespace headroom {
namespace {

void check(const LatentSettings& s)
{
    const LatentGeometry& g = s.geometry;
    for (const auto& [what, number, least] : {std::tuple{"hidden", g.width, Index{1}},
                                              {"heads", g.q_heads, Index{1}},
                                              {"kv-lora-rank", g.kv_rank, Index{1}},
                                              {"nope", g.nope_dim, Index{1}},
                                              {"rope", g.rope_dim, Index{2}},
                                              {"value-dim", g.value_dim, Index{1}},
                                              {"q-lora-rank", g.q_rank, Index{0}},
                                              {"layers", s.layers, Index{1}},
                                              {"prefill", s.prefill, Index{1}},
                                              {"steps", s.steps, Index{0}},
                                              {"kv-heads", s.gqa_kv_heads, Index{1}}})
        if (constexpr Index most = Index{1} << 20; number < least || number > most)
            throw std::invalid_argument(std::string(what) + " is " + std::to_string(number) + ", it must be at least " +
                                        std::to_string(least) + " and at most 2^20");
    if (g.rope_dim % 2 != 0)
        throw std::invalid_argument("rope is " + std::to_string(g.rope_dim) +
                                    ", it must be even: elements turn in pairs");
    if (g.q_heads % s.gqa_kv_heads != 0)
        throw std::invalid_argument("heads " + std::to_string(g.q_heads) + " is not a multiple of kv-heads " +
                                    std::to_string(s.gqa_kv_heads));
}

CacheSize measured(std::string name, std::string stores, const KvGeometry& g, Index tokens)
{
    const auto cache = cache_kind("concat").make(g, {});
    cache->begin_step(std::vector<Index>{tokens});
    const Tensor k({1, g.kv_heads, tokens, g.head_dim}), v({1, g.kv_heads, tokens, g.value_dim});
    for (Index layer = 0; layer < g.layers; ++layer) cache->write(layer, k, v);
    cache->end_step();
    const Index live = cache->counters().live;
    return {std::move(name), std::move(stores), g.kv_heads, g.head_dim, g.value_in_key ? 0 : g.value_dim, live,
            live / tokens};
}

} // namespace

LatentRun run_latent(const LatentSettings& s)
{
    check(s);
    const LatentGeometry& g = s.geometry;
    Random random(s.seed);
    const LatentWeights weights = random_latent_weights(g, random);
    LatentRun run{.tokens = s.prefill + s.steps, .sizes = {}};

    // Prefill, then token by token, through one cache; both computations read the same rows.
    const auto cache = cache_kind(s.kind).make(latent_cache_geometry(g, 1, 1, s.type),
                                               {.max_length = run.tokens, .window = run.tokens});
    while (cache->lengths()[0] < run.tokens) {
        const Index first = cache->lengths()[0], n = first == 0 ? std::min(s.prefill, cache->longest_append()) : 1;
        const Tensor x = random_uniform({1, n, g.width}, random, -std::sqrt(3), std::sqrt(3));
        cache->append(latent_rows(x, weights, first), Tensor());
        const Tensor q = latent_queries(x, weights, first);
        const Tensor expanded = expanded_attention(q, cache->view(0), weights);
        const Tensor absorbed = absorbed_attention(q, cache->view(0), weights);
        for (std::size_t i = 0; i < expanded.values().size(); ++i) {
            const double difference = std::fabs(expanded.values()[i] - absorbed.values()[i]);
            if (!(difference <= run.max_difference)) run.max_difference = difference; // NaN stays visible
            run.largest_output = std::fmax(run.largest_output, std::fabs(expanded.values()[i]));
        }
    }

    const auto ordinary = [&](Index kv_heads, Index k_dim) {
        return KvGeometry{
            .layers = s.layers, .kv_heads = kv_heads, .head_dim = k_dim, .value_dim = g.value_dim, .type = s.type};
    };
    run.sizes = {measured("MLA", "latent row and rope key", latent_cache_geometry(g, s.layers, 1, s.type), run.tokens),
                 measured("MLA expanded", "K and V of every head", ordinary(g.q_heads, g.head_dim()), run.tokens),
                 measured("MHA", "K and V of every head", ordinary(g.q_heads, g.value_dim), run.tokens),
                 measured("GQA", "K and V of shared heads", ordinary(s.gqa_kv_heads, g.value_dim), run.tokens),
                 measured("MQA", "K and V of one head", ordinary(1, g.value_dim), run.tokens)};
    return run;
}

} // namespace headroom
