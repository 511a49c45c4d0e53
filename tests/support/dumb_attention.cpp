#include "tests/support/dumb_attention.h"

#include <cmath>
#include <limits>

namespace headroom {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

bool sees(const AttentionProblem& p, Index b, Index h, Index i, Index j)
{
    // The key must be written, the query must not be padding.
    const Index stored = p.kv.length[b], evicted = p.kv.evicted ? p.kv.evicted[b] : 0;
    const Index queries = p.query_length ? p.query_length[b] : p.q.extent[2];
    if (j >= stored || i >= queries) return false;

    // Mask and bias, wherever an axis of extent 1 stands for all.
    const auto entry = [&](const Tensor& t) {
        const Shape& e = t.shape();
        return t(e[0] == 1 ? 0 : b, e[1] == 1 ? 0 : h, e[2] == 1 ? 0 : i, e[3] == 1 ? 0 : j);
    };
    if (p.mask && entry(*p.mask) == 0) return false;
    if (p.bias && entry(*p.bias) == minus_infinity) return false;

    // Positions.
    const AttentionOptions& o = p.options;
    if (o.causal == Causal::none) return true;
    const Index key_at = j < p.kv.kept_first ? j : j + evicted;
    const Index query_at = o.causal == Causal::top_left ? i : (stored + evicted) - (queries - i);
    const bool past_or_present = key_at <= query_at;
    const bool in_window = o.window == 0 || key_at > query_at - o.window;
    const bool sink = key_at < o.sinks;
    return past_or_present && (in_window || sink);
}

} // namespace

DumbAnswer dumb_attention(const AttentionProblem& p, Index S)
{
    const Index B = p.q.extent[0], H = p.q.extent[1], L = p.q.extent[2], D = p.q.extent[3];
    const Index group = H / p.kv.k.extent[1], Dv = p.kv.v.extent[3], block_size = p.kv.k.extent[2];
    DumbAnswer all{Tensor({B, H, L, S}), Tensor({B, H, L, S}, minus_infinity), Tensor({B, H, L, S}),
                   Tensor({B, H, L, Dv}), Tensor({B, H, L})};
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < H; ++h)
            for (Index i = 0; i < L; ++i) {
                const auto block = [&](Index j) {
                    return p.kv.block_table ? p.kv.block_table[b * p.kv.blocks_per_sequence + j / block_size] : b;
                };
                long double sum = 0;
                if (!p.sink_logits.empty())
                    sum += std::exp(static_cast<long double>(p.sink_logits[static_cast<std::size_t>(h)]));
                for (Index j = 0; j < S; ++j) {
                    if (!sees(p, b, h, i, j)) continue;
                    all.visible(b, h, i, j) = 1;
                    double score = 0;
                    for (Index d = 0; d < D; ++d)
                        score += value(p.q, b, h, i, d) * value(p.kv.k, block(j), h / group, j % block_size, d);
                    score *= p.options.scale ? *p.options.scale : 1 / std::sqrt(static_cast<double>(D));
                    if (p.options.soft_cap > 0) score = p.options.soft_cap * std::tanh(score / p.options.soft_cap);
                    if (p.bias) {
                        const Shape& e = p.bias->shape();
                        score += (*p.bias)(e[0] == 1 ? 0 : b, e[1] == 1 ? 0 : h, e[2] == 1 ? 0 : i, e[3] == 1 ? 0 : j);
                    }
                    all.masked_scores(b, h, i, j) = score;
                    sum += std::exp(static_cast<long double>(score));
                }
                all.lse(b, h, i) = static_cast<double>(std::log(sum));
                for (Index j = 0; j < S; ++j) {
                    if (all.visible(b, h, i, j) == 0) continue;
                    const long double weight = std::exp(static_cast<long double>(all.masked_scores(b, h, i, j))) / sum;
                    all.weights(b, h, i, j) = static_cast<double>(weight);
                    for (Index d = 0; d < Dv; ++d)
                        all.output(b, h, i, d) +=
                            static_cast<double>(weight) * value(p.kv.v, block(j), h / group, j % block_size, d);
                }
            }
    return all;
}

} // namespace headroom
