// Grouped-query attention with its cache as one module: four projections, a cache of Hkv heads, causal attention.
#include "reference/attention/attention.h"
#include "reference/kv_cache/kv_cache.h"
#include "reference/tensor/random.h"
#include <algorithm>
#include <fmt/core.h>

using namespace headroom;

Tensor project(const Tensor& x, const Tensor& matrix) // [L, in], [out, in] -> [L, out]
{
    Tensor y({x.extent(0), matrix.extent(0)});
    for (Index i = 0; i < y.extent(0); ++i)
        for (Index o = 0; o < y.extent(1); ++o)
            for (Index e = 0; e < x.extent(1); ++e) y(i, o) += matrix(o, e) * x(i, e);
    return y;
}

Tensor split_heads(const Tensor& rows, Index heads) // [L, heads D] -> [1, heads, L, D]
{
    const Index L = rows.extent(0), D = rows.extent(1) / heads;
    Tensor all({1, heads, L, D});
    for (Index i = 0; i < L; ++i)
        for (Index n = 0; n < heads * D; ++n) all(0, n / D, i, n % D) = rows(i, n);
    return all;
}

Tensor join_heads(const Tensor& heads) // [1, H, L, D] -> [L, H D]
{
    const Index H = heads.extent(1), L = heads.extent(2), D = heads.extent(3);
    Tensor rows({L, H * D});
    for (Index i = 0; i < L; ++i)
        for (Index n = 0; n < H * D; ++n) rows(i, n) = heads(0, n / D, i, n % D);
    return rows;
}

class GqaWithCache {
public:
    GqaWithCache(Index E, Index H, Index Hkv, Index D, Random& random)
        : H_(H), Hkv_(Hkv), q_proj_(random_uniform({H * D, E}, random, -1, 1)),
          k_proj_(random_uniform({Hkv * D, E}, random, -1, 1)), v_proj_(random_uniform({Hkv * D, E}, random, -1, 1)),
          o_proj_(random_uniform({E, H * D}, random, -1, 1)),
          cache_(cache_kind("growing").make({.kv_heads = Hkv, .head_dim = D, .value_dim = D, .type = DType::f32},
                                            {.initial = 4}))
    {}

    Tensor forward(const Tensor& x) // [L, E] -> [L, E]: one token or many, behind all that came before
    {
        const Tensor q = split_heads(project(x, q_proj_), H_);   // [1, H, L, D]
        const Tensor k = split_heads(project(x, k_proj_), Hkv_); // [1, Hkv, L, D]
        const Tensor v = split_heads(project(x, v_proj_), Hkv_); // [1, Hkv, L, D]
        cache_->append(k, v);                                    // Hkv heads, never H
        const AttentionStages stages = attention({.q = view(q), .kv = cache_->view(0), .options = {}}); // causal
        return project(join_heads(stages.output), o_proj_);
    }
    const KvCache& cache() const { return *cache_; }
    Index weights() const { return 2 * (count(q_proj_.shape()) + count(k_proj_.shape())); } // o as q, v as k

private:
    Index H_, Hkv_;
    Tensor q_proj_, k_proj_, v_proj_, o_proj_; // [H D, E], [Hkv D, E], [Hkv D, E], [E, H D]
    std::unique_ptr<KvCache> cache_;
};

int main()
{
    const Index E = 32, H = 8, Hkv = 2, D = 4;
    Random numbers(11);
    const Tensor x = random_uniform({10, E}, numbers, -1, 1);
    const auto tokens = [&](Index from, Index to) {
        const auto at = [&](Index i) { return x.values().begin() + static_cast<std::ptrdiff_t>(i * E); };
        return Tensor({to - from, E}, std::vector(at(from), at(to)));
    };

    // The same ten tokens in one piece; a prompt of six and then one by one; in pieces of 3, 3, 3 and 1.
    Tensor whole;
    for (const std::vector<Index>& pieces : {std::vector<Index>{10}, {6, 1, 1, 1, 1}, {3, 3, 3, 1}}) {
        Random weights(12);
        GqaWithCache module(E, H, Hkv, D, weights);
        Index from = 0, differ = 0;
        for (const Index L : pieces) {
            const Tensor y = module.forward(tokens(from, from + L));
            if (whole.empty()) whole = y;
            for (Index i = 0; i < L; ++i) differ += !std::ranges::equal(y.row(i), whole.row(from + i));
            from += L;
        }
        fmt::print("{} tokens in {} pieces: rows that differ: {}\n", from, pieces.size(), differ);
    }

    // What the module stores and what it computes, for MHA, GQA and MQA.
    for (const Index heads : {H, Hkv, Index{1}}) {
        Random weights(12);
        GqaWithCache module(E, H, heads, D, weights);
        module.forward(tokens(0, 10));
        fmt::print("Hkv = {}: keys {}, cache {} bytes, weights of the projections {}\n", heads,
                   to_text({1, module.cache().view(0).k.extent[1], module.cache().lengths()[0], D}),
                   module.cache().counters().live, module.weights());
    }
}
