#include "reference/attention/online.h"

#include "reference/attention/key_range.h"
#include "reference/attention/mask.h"
#include "reference/attention/matrix.h"
#include "reference/attention/online_softmax.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace headroom {
namespace {

// What one query head needs to know about its keys.
struct Head {
    const AttentionProblem& problem;
    Index b, h;
    const Matrix& K; // [S, D]
    const Matrix& V; // [S, Dv]
    double scale;
};

// Score of query i at key j, -inf where bias or mask hide it. The key ranges have left only keys that may be seen.
double score(const Head& head, const Matrix& Q, Index i, Index j)
{
    const auto& [problem, b, h, K, V, scale] = head;
    if (problem.mask && broadcast(*problem.mask, b, h, i, j) == 0) return -std::numeric_limits<double>::infinity();
    const double bias = problem.bias ? broadcast(*problem.bias, b, h, i, j) : 0;
    if (bias == -std::numeric_limits<double>::infinity()) return bias;
    const double cap = problem.options.soft_cap, product = scale * Q.row(i).dot(K.row(j));
    return (cap > 0 ? cap * std::tanh(product / cap) : product) + bias;
}

// Adds the keys of one range, tile by tile.
void add_range(OnlineSoftmax& state, const Head& head, const Matrix& Q, Index i, KeyRange range, Index tile)
{
    const Index Dv = head.V.cols();
    std::vector<double> scores;
    for (Index begin = range.begin; begin < range.end; begin += tile) {
        const Index end = std::min(begin + tile, range.end);
        scores.clear();
        for (Index j = begin; j < end; ++j) scores.push_back(score(head, Q, i, j));
        state.add_tile(scores, {head.V.data() + begin * Dv, static_cast<std::size_t>((end - begin) * Dv)});
    }
}

KeyRange overlap(KeyRange a, KeyRange b)
{
    const Index begin = std::max(a.begin, b.begin);
    return {begin, std::max(begin, std::min(a.end, b.end))};
}

// The state after all keys that query i sees: one per part, then merged.
OnlineSoftmax state_of(const Head& head, const Matrix& Q, Index i, const OnlineOptions& options)
{
    const KeyRanges seen = key_ranges(head.problem, head.b, i);
    const Index S = head.K.rows(), part_size = (S + options.parts - 1) / options.parts;
    OnlineSoftmax all(head.V.cols());
    for (Index part = 0; part < options.parts; ++part) {
        const KeyRange mine{std::min(S, part * part_size), std::min(S, (part + 1) * part_size)};
        OnlineSoftmax state(head.V.cols());
        add_range(state, head, Q, i, overlap(seen.sinks, mine), options.tile);
        add_range(state, head, Q, i, overlap(seen.recent, mine), options.tile);
        all.merge(state);
    }
    return all;
}

} // namespace

AttentionStages online_attention(const AttentionProblem& problem, const OnlineOptions& options)
{
    const auto [B, H, Hkv, L, S, D, Dv] = check(problem);
    if (options.tile < 1 || options.parts < 1) throw std::invalid_argument("tile and parts must be at least 1");
    const double scale = problem.options.scale.value_or(1 / std::sqrt(static_cast<double>(D)));

    AttentionStages all;
    all.row_max = all.row_sum = all.lse = Tensor({B, H, L});
    all.output = Tensor({B, H, L, Dv});
    for (Index b = 0; b < B; ++b)
        for (Index hkv = 0; hkv < Hkv; ++hkv) {
            const Matrix K = rows(problem.kv, problem.kv.k, b, hkv), V = rows(problem.kv, problem.kv.v, b, hkv);
            for (Index h = hkv * (H / Hkv); h < (hkv + 1) * (H / Hkv); ++h) {
                const Matrix Q = queries(problem.q, b, h);
                std::optional<double> sink;
                if (!problem.sink_logits.empty()) sink = problem.sink_logits[static_cast<std::size_t>(h)];
                for (Index i = 0; i < L; ++i) {
                    const SoftmaxResult row = state_of({problem, b, h, K, V, scale}, Q, i, options).finish(sink);
                    std::ranges::copy(row.output, all.output.row(b, h, i).begin());
                    all.row_max(b, h, i) = row.max;
                    all.row_sum(b, h, i) = row.sum;
                    all.lse(b, h, i) = row.lse;
                }
            }
        }
    return all;
}

} // namespace headroom
