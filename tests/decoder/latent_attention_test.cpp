// Multi-head latent attention: expanded, absorbed and without a cache are the same numbers, through every cache.
#include "reference/decoder/latent_attention.h"
#include "reference/kv_cache/kv_cache.h"
#include "tests/support/catch.h"
#include <cmath>

using namespace headroom;

namespace {

const LatentGeometry geometry{.width = 10, .q_heads = 3, .kv_rank = 7, .nope_dim = 4, .rope_dim = 6, .value_dim = 5};

double worst(const Tensor& a, const Tensor& b)
{
    REQUIRE(a.shape() == b.shape());
    double most = 0;
    for (std::size_t i = 0; i < a.values().size(); ++i) {
        const double off = std::fabs(a.values()[i] - b.values()[i]);
        if (!(off <= most)) most = off;
    }
    return most;
}

Tensor tokens(const Tensor& x, Index first, Index n)
{
    Tensor part({x.extent(0), n, x.extent(2)});
    for (Index b = 0; b < x.extent(0); ++b)
        for (Index i = 0; i < n; ++i) std::ranges::copy(x.row(b, first + i), part.row(b, i).begin());
    return part;
}

// The textbook, spelled out once more: every key and value of every head, one query after the other.
Tensor plain(const Tensor& x, const LatentWeights& w)
{
    const LatentGeometry& g = w.geometry;
    const Index B = x.extent(0), L = x.extent(1);
    const auto at = [](const Tensor& m, Index row, std::span<const double> v) {
        double sum = 0;
        for (std::size_t i = 0; i < v.size(); ++i) sum += m(row, static_cast<Index>(i)) * v[i];
        return sum;
    };
    const auto turned = [](std::vector<double> v, Index position) {
        for (std::size_t pair = 0; pair < v.size() / 2; ++pair) {
            const double angle = static_cast<double>(position) *
                                 std::pow(10000.0, -2.0 * static_cast<double>(pair) / static_cast<double>(v.size()));
            const double a = v[2 * pair], b = v[2 * pair + 1];
            v[2 * pair] = a * std::cos(angle) - b * std::sin(angle);
            v[2 * pair + 1] = b * std::cos(angle) + a * std::sin(angle);
        }
        return v;
    };
    Tensor y({B, L, g.width});
    for (Index b = 0; b < B; ++b) {
        std::vector<std::vector<double>> latent, rope;
        for (Index i = 0; i < L; ++i) {
            std::vector<double> c, r;
            double square = 0;
            for (Index d = 0; d < g.kv_rank; ++d) c.push_back(at(w.kv_down, d, x.row(b, i)));
            for (const double e : c) square += e * e;
            for (std::size_t d = 0; d < c.size(); ++d)
                c[d] *= w.kv_norm.values()[d] / std::sqrt(square / static_cast<double>(g.kv_rank) + 1e-6);
            for (Index d = 0; d < g.rope_dim; ++d) r.push_back(at(w.kv_down, g.kv_rank + d, x.row(b, i)));
            latent.push_back(c);
            rope.push_back(turned(r, i));

            std::vector<double> heads;
            for (Index h = 0; h < g.q_heads; ++h) {
                std::vector<double> q, q_rope, weights;
                for (Index d = 0; d < g.head_dim(); ++d) q.push_back(at(w.q_up, h * g.head_dim() + d, x.row(b, i)));
                q_rope = turned({q.begin() + g.nope_dim, q.end()}, i);
                double sum = 0;
                for (std::size_t j = 0; j < latent.size(); ++j) {
                    double score = 0;
                    for (Index d = 0; d < g.nope_dim; ++d)
                        score += q[static_cast<std::size_t>(d)] * at(w.k_up, h * g.nope_dim + d, latent[j]);
                    for (std::size_t d = 0; d < q_rope.size(); ++d) score += q_rope[d] * rope[j][d];
                    weights.push_back(std::exp(score / std::sqrt(static_cast<double>(g.head_dim()))));
                    sum += weights.back();
                }
                for (Index d = 0; d < g.value_dim; ++d) {
                    double value = 0;
                    for (std::size_t j = 0; j < latent.size(); ++j)
                        value += weights[j] / sum * at(w.v_up, h * g.value_dim + d, latent[j]);
                    heads.push_back(value);
                }
            }
            for (Index e = 0; e < g.width; ++e) y(b, i, e) = at(w.o_proj, e, heads);
        }
    }
    return y;
}

} // namespace

TEST_CASE("expanded and absorbed latent attention equal the textbook, in any chunks, through every cache")
{
    Random random(21);
    const LatentWeights weights = random_latent_weights(geometry, random);
    const Index B = 2, T = 9;
    const Tensor x = random_uniform({B, T, geometry.width}, random);
    const Tensor wanted = plain(x, weights);
    REQUIRE(worst(wanted, Tensor(wanted.shape())) > 0.1);
    for (const CacheKind& kind : cache_kinds())
        for (const Index chunk : {1, 4, 9}) {
            INFO(kind.name << " in chunks of " << chunk);
            const auto cache = kind.make(latent_cache_geometry(geometry, 1, B, DType::f64),
                                         {.max_length = T, .initial = 2, .block = 4, .window = T});
            for (Index first = 0; first < T; first += chunk) {
                const Tensor part = tokens(x, first, std::min(chunk, T - first));
                cache->append(latent_rows(part, weights, first), Tensor());
                const Tensor q = latent_queries(part, weights, first), right = tokens(wanted, first, part.extent(1));
                CHECK(worst(expanded_attention(q, cache->view(0), weights), right) < 1e-13);
                CHECK(worst(absorbed_attention(q, cache->view(0), weights), right) < 1e-13);
            }
            CHECK(cache->counters().live == B * T * (geometry.kv_rank + geometry.rope_dim) * 8);
        }
}

TEST_CASE("both computations agree on what is stored in any type, with a bottleneck for the queries, in a window")
{
    Random random(22);
    LatentGeometry narrow = geometry;
    narrow.q_rank = 6;
    const LatentWeights weights = random_latent_weights(narrow, random);
    const Index T = 20;
    const Tensor x = random_uniform({1, T, narrow.width}, random);
    for (const DType type : {DType::f32, DType::f16, DType::bf16, DType::f8e4m3, DType::i8}) {
        INFO(name(type));
        const auto cache =
            cache_kind("ring").make(latent_cache_geometry(narrow, 1, 1, type), {.window = 6, .sinks = 2});
        for (Index t = 0; t < T; ++t) {
            const Tensor part = tokens(x, t, 1);
            cache->append(latent_rows(part, weights, t), Tensor());
            const Tensor q = latent_queries(part, weights, t);
            const AttentionOptions options{.window = 6, .sinks = 2};
            CHECK(worst(expanded_attention(q, cache->view(0), weights, options),
                        absorbed_attention(q, cache->view(0), weights, options)) < 1e-13);
        }
    }
}

TEST_CASE("fault 14: DeepSeek-V3 stores 576 numbers a token and layer, and expanded it would be 40960")
{
    const LatentGeometry v3{
        .width = 7168, .q_heads = 128, .kv_rank = 512, .nope_dim = 128, .rope_dim = 64, .value_dim = 128};
    CHECK(61 * bytes_per_token(latent_cache_geometry(v3, 1, 1, DType::bf16)) == 70272);
    const KvGeometry expanded{.kv_heads = 128, .head_dim = v3.head_dim(), .value_dim = 128, .type = DType::bf16};
    CHECK(61 * bytes_per_token(expanded) == 4997120);
}
