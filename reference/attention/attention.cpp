#include "reference/attention/attention.h"

#include "reference/attention/mask.h"
#include "reference/attention/matrix.h"
#include <cmath>
#include <limits>

namespace headroom {

AttentionStages attention(const AttentionProblem& problem)
{
    const auto [B, H, Hkv, L, S, D, Dv] = check(problem);
    const AttentionOptions& options = problem.options;
    const double scale = options.scale.value_or(1 / std::sqrt(double(D)));
    const double hidden = -std::numeric_limits<double>::infinity();

    AttentionStages all{.scores = Tensor({B, H, L, S}),
                        .masked_scores = Tensor({B, H, L, S}, hidden),
                        .row_max = Tensor({B, H, L}, hidden),
                        .row_sum = Tensor({B, H, L}),
                        .weights = Tensor({B, H, L, S}),
                        .output = Tensor({B, H, L, Dv}),
                        .lse = Tensor({B, H, L}, hidden)};

    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < H; ++h) {
            const Index hkv = h / (H / Hkv);
            const Matrix Q = queries(problem.q, b, h);               // [L, D]
            const Matrix K = rows(problem.kv, problem.kv.k, b, hkv); // [S, D]
            const Matrix V = rows(problem.kv, problem.kv.v, b, hkv); // [S, Dv]

            Matrix scores(L, K.rows());
            for (Index i = 0; i < L; ++i)
                for (Index j = 0; j < K.rows(); ++j) scores(i, j) = scale * Q.row(i).dot(K.row(j));
            for (Index i = 0; i < L; ++i) {
                // Cap, then hide what this query must not see.
                const Index here = query_position(problem, b, i);
                for (Index j = 0; j < K.rows(); ++j) {
                    all.scores(b, h, i, j) = scores(i, j);
                    if (!visible(options, here, position(problem.kv, b, j))) continue;
                    const double capped = options.soft_cap > 0
                                              ? options.soft_cap * std::tanh(scores(i, j) / options.soft_cap)
                                              : scores(i, j);
                    all.masked_scores(b, h, i, j) = capped;
                    all.row_max(b, h, i) = std::fmax(all.row_max(b, h, i), capped);
                }
                // Softmax over the visible keys, and their values' weighted mean.
                const double max = all.row_max(b, h, i);
                if (max == hidden) continue;
                double sum = 0;
                for (Index j = 0; j < K.rows(); ++j) sum += std::exp(all.masked_scores(b, h, i, j) - max);
                for (Index j = 0; j < K.rows(); ++j) {
                    if (all.masked_scores(b, h, i, j) == hidden) continue;
                    const double weight = all.weights(b, h, i, j) = std::exp(all.masked_scores(b, h, i, j) - max) / sum;
                    for (Index d = 0; d < Dv; ++d) all.output(b, h, i, d) += weight * V(j, d);
                }
                all.row_sum(b, h, i) = sum;
                all.lse(b, h, i) = max + std::log(sum);
            }
        }
    return all;
}

} // namespace headroom
