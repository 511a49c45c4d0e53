#include "reference/decoder/latent_attention.h"

#include "reference/attention/attention.h"
#include "reference/attention/rope.h"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace headroom {
namespace {

double dot(std::span<const double> a, std::span<const double> b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// y = W x for rows first … of W.
void project(const Tensor& w, Index first, std::span<const double> x, std::span<double> y)
{
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = dot(w.row(first + static_cast<Index>(i)), x);
}

// y = W^T x for rows first … of W.
void project_back(const Tensor& w, Index first, std::span<const double> x, std::span<double> y)
{
    std::ranges::fill(y, 0.0);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::span<const double> row = w.row(first + static_cast<Index>(i));
        for (std::size_t j = 0; j < y.size(); ++j) y[j] += x[i] * row[j];
    }
}

void rms_norm(std::span<double> x, std::span<const double> weight)
{
    const double scale = 1 / std::sqrt(dot(x, x) / static_cast<double>(x.size()) + 1e-6);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] *= scale * weight[i];
}

Tensor random_matrix(Index out, Index in, Random& random)
{
    const double size = std::sqrt(3 / static_cast<double>(in)); // so that outputs have the variance of inputs
    return random_uniform({out, in}, random, -size, size);
}

AttentionOptions scaled(AttentionOptions options, const LatentGeometry& g)
{
    if (!options.scale) options.scale = 1 / std::sqrt(static_cast<double>(g.head_dim()));
    return options;
}

// The heads' outputs [B, H, L, Dv] through the output projection.
Tensor joined(const Tensor& heads, const LatentWeights& w)
{
    const Index B = heads.extent(0), H = heads.extent(1), L = heads.extent(2), Dv = heads.extent(3);
    Tensor y({B, L, w.geometry.width});
    std::vector<double> all(static_cast<std::size_t>(H * Dv));
    for (Index b = 0; b < B; ++b)
        for (Index i = 0; i < L; ++i) {
            for (Index h = 0; h < H; ++h) std::ranges::copy(heads.row(b, h, i), all.begin() + h * Dv);
            project(w.o_proj, 0, all, y.row(b, i));
        }
    return y;
}

} // namespace

LatentWeights random_latent_weights(const LatentGeometry& g, Random& random)
{
    LatentWeights w{.geometry = g,
                    .q_down = {},
                    .q_norm = {},
                    .q_up = {},
                    .kv_down = {},
                    .kv_norm = {},
                    .k_up = {},
                    .v_up = {},
                    .o_proj = {}};
    if (g.q_rank) {
        w.q_down = random_matrix(g.q_rank, g.width, random);
        w.q_norm = random_uniform({g.q_rank}, random, 0.5, 1.5);
    }
    w.q_up = random_matrix(g.q_heads * g.head_dim(), g.q_rank ? g.q_rank : g.width, random);
    w.kv_down = random_matrix(g.kv_rank + g.rope_dim, g.width, random);
    w.kv_norm = random_uniform({g.kv_rank}, random, 0.5, 1.5);
    w.k_up = random_matrix(g.q_heads * g.nope_dim, g.kv_rank, random);
    w.v_up = random_matrix(g.q_heads * g.value_dim, g.kv_rank, random);
    w.o_proj = random_matrix(g.width, g.q_heads * g.value_dim, random);
    return w;
}

KvGeometry latent_cache_geometry(const LatentGeometry& g, Index layers, Index sequences, DType type)
{
    return {.layers = layers,
            .sequences = sequences,
            .kv_heads = 1,
            .head_dim = g.kv_rank + g.rope_dim,
            .value_dim = g.kv_rank,
            .type = type,
            .value_in_key = true};
}

Tensor latent_rows(const Tensor& x, const LatentWeights& w, Index first)
{
    const LatentGeometry& g = w.geometry;
    const Index B = x.extent(0), L = x.extent(1);
    const RopeTable table = RopeTable::between(first, first + L, g.rope_dim);
    Tensor rows({B, 1, L, g.kv_rank + g.rope_dim});
    for (Index b = 0; b < B; ++b)
        for (Index i = 0; i < L; ++i) {
            const std::span<double> row = rows.row(b, 0, i);
            project(w.kv_down, 0, x.row(b, i), row);
            rms_norm(row.first(static_cast<std::size_t>(g.kv_rank)), w.kv_norm.values());
            table.rotate(row.subspan(static_cast<std::size_t>(g.kv_rank)), first + i, RopeLayout::neighbouring_pairs);
        }
    return rows;
}

Tensor latent_queries(const Tensor& x, const LatentWeights& w, Index first)
{
    const LatentGeometry& g = w.geometry;
    const Index B = x.extent(0), L = x.extent(1);
    const RopeTable table = RopeTable::between(first, first + L, g.rope_dim);
    Tensor q({B, g.q_heads, L, g.head_dim()});
    std::vector<double> narrow(static_cast<std::size_t>(g.q_rank));
    for (Index b = 0; b < B; ++b)
        for (Index i = 0; i < L; ++i) {
            if (g.q_rank) {
                project(w.q_down, 0, x.row(b, i), narrow);
                rms_norm(narrow, w.q_norm.values());
            }
            for (Index h = 0; h < g.q_heads; ++h) {
                const std::span<double> row = q.row(b, h, i);
                project(w.q_up, h * g.head_dim(), g.q_rank ? std::span<const double>(narrow) : x.row(b, i), row);
                table.rotate(row.subspan(static_cast<std::size_t>(g.nope_dim)), first + i,
                             RopeLayout::neighbouring_pairs);
            }
        }
    return q;
}

Tensor expanded_attention(const Tensor& q, const KvView& rows, const LatentWeights& w, const AttentionOptions& options)
{
    const LatentGeometry& g = w.geometry;
    const Index S = rows.sequences ? *std::max_element(rows.length, rows.length + rows.sequences) : 0;
    Tensor k({rows.sequences, g.q_heads, S, g.head_dim()}), v({rows.sequences, g.q_heads, S, g.value_dim});
    std::vector<double> row(static_cast<std::size_t>(g.kv_rank + g.rope_dim));
    const std::span<const double> latent(row.data(), static_cast<std::size_t>(g.kv_rank));
    for (Index b = 0; b < rows.sequences; ++b)
        for (Index j = 0; j < rows.length[b]; ++j) {
            const Place at = place(rows, b, j);
            read_row(rows.k, at.block, 0, at.slot, row);
            for (Index h = 0; h < g.q_heads; ++h) {
                const std::span<double> key = k.row(b, h, j);
                project(w.k_up, h * g.nope_dim, latent, key.first(static_cast<std::size_t>(g.nope_dim)));
                std::copy(row.begin() + g.kv_rank, row.end(), key.begin() + g.nope_dim);
                project(w.v_up, h * g.value_dim, latent, v.row(b, h, j));
            }
        }
    KvView dense = rows; // lengths and positions stay
    dense.k = view(k);
    dense.v = view(v);
    dense.block_table = nullptr;
    return joined(attention({.q = view(q), .kv = dense, .options = scaled(options, g)}).output, w);
}

Tensor absorbed_attention(const Tensor& q, const KvView& rows, const LatentWeights& w, const AttentionOptions& options)
{
    const LatentGeometry& g = w.geometry;
    const Index B = q.extent(0), L = q.extent(2);
    Tensor absorbed({B, g.q_heads, L, g.kv_rank + g.rope_dim});
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < g.q_heads; ++h)
            for (Index i = 0; i < L; ++i) {
                const std::span<const double> from = q.row(b, h, i);
                const std::span<double> to = absorbed.row(b, h, i);
                project_back(w.k_up, h * g.nope_dim, from.first(static_cast<std::size_t>(g.nope_dim)),
                             to.first(static_cast<std::size_t>(g.kv_rank)));
                std::copy(from.begin() + g.nope_dim, from.end(), to.begin() + g.kv_rank);
            }
    const Tensor latent = attention({.q = view(absorbed), .kv = rows, .options = scaled(options, g)}).output;
    Tensor heads({B, g.q_heads, L, g.value_dim});
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < g.q_heads; ++h)
            for (Index i = 0; i < L; ++i) project(w.v_up, h * g.value_dim, latent.row(b, h, i), heads.row(b, h, i));
    return joined(heads, w);
}

} // namespace headroom
