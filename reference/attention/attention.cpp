#include "reference/attention/attention.h"

#include "reference/attention/mask.h"
#include "reference/attention/matrix.h"
#include <cmath>
#include <limits>

namespace headroom {
namespace {

constexpr double hidden = -std::numeric_limits<double>::infinity();

// scale * Q K^T. One dot product per pair: a matrix product would round differently for another number of rows.
Matrix scaled_products(const Matrix& Q, const Matrix& K, double scale, const AttentionProblem& problem, Index b)
{
    Matrix scores = Matrix::Zero(Q.rows(), K.rows()); // [L, S]
    for (Index i = 0; i < Q.rows() && !is_padding(problem, b, i); ++i)
        for (Index j = 0; j < K.rows(); ++j) scores(i, j) = scale * Q.row(i).dot(K.row(j));
    return scores;
}

// Soft cap, then bias, then the mask. What is hidden is replaced, not multiplied: a NaN there must not matter.
Matrix cap_bias_and_mask(const Matrix& scores, const AttentionProblem& problem, Index b, Index h)
{
    const double cap = problem.options.soft_cap;
    Matrix masked_scores = scores; // [L, S]
    for (Index i = 0; i < scores.rows(); ++i)
        for (Index j = 0; j < scores.cols(); ++j) {
            double& score = masked_scores(i, j);
            if (cap > 0) score = cap * std::tanh(score / cap);
            if (problem.bias) score += broadcast(*problem.bias, b, h, i, j);
            if (!visible(problem, b, h, i, j)) score = hidden;
        }
    return masked_scores;
}

// The largest score of each row, and of the learned sink; NaN if one is NaN.
Vector largest(const Matrix& masked_scores, double sink_logit)
{
    Vector row_max = Vector::Constant(masked_scores.rows(), sink_logit); // [L]
    for (Index i = 0; i < masked_scores.rows(); ++i)
        for (Index j = 0; j < masked_scores.cols(); ++j)
            if (std::isnan(masked_scores(i, j)) || masked_scores(i, j) > row_max(i)) row_max(i) = masked_scores(i, j);
    return row_max;
}

// exp(score - max): at most 1, so that nothing overflows; exactly 0 for what is hidden, also where max is -inf.
double share(double score, double max) { return score == hidden ? 0 : std::exp(score - max); }

// The softmax's denominators. A learned sink counts like a key that carries no value.
Vector denominators(const Matrix& masked_scores, const Vector& row_max, double sink_logit)
{
    Vector row_sum(masked_scores.rows()); // [L]
    for (Index i = 0; i < masked_scores.rows(); ++i) {
        row_sum(i) = 0;
        for (Index j = 0; j < masked_scores.cols(); ++j) row_sum(i) += share(masked_scores(i, j), row_max(i));
        row_sum(i) += share(sink_logit, row_max(i));
    }
    return row_sum;
}

Matrix softmax(const Matrix& masked_scores, const Vector& row_max, const Vector& row_sum)
{
    Matrix weights = Matrix::Zero(masked_scores.rows(), masked_scores.cols()); // [L, S]
    for (Index i = 0; i < masked_scores.rows(); ++i)
        for (Index j = 0; j < masked_scores.cols(); ++j)
            if (masked_scores(i, j) != hidden) weights(i, j) = share(masked_scores(i, j), row_max(i)) / row_sum(i);
    return weights;
}

// weights V, leaving out the values that are not seen: 0 * NaN would be NaN.
Matrix weighted_values(const Matrix& weights, const Matrix& masked_scores, const Matrix& V)
{
    Matrix output = Matrix::Zero(weights.rows(), V.cols()); // [L, Dv]
    for (Index i = 0; i < weights.rows(); ++i)
        for (Index j = 0; j < weights.cols(); ++j)
            if (masked_scores(i, j) != hidden) output.row(i) += weights(i, j) * V.row(j);
    return output;
}

Vector log_sum_exp(const Vector& row_max, const Vector& row_sum)
{
    Vector lse(row_max.size()); // [L]
    for (Index i = 0; i < lse.size(); ++i) lse(i) = row_max(i) + std::log(row_sum(i));
    return lse;
}

// Copies one head's rows into a stage [B, H, L, …]; keys beyond the sequence's length keep what the stage began with.
void keep(Tensor& stage, Index b, Index h, const Matrix& rows)
{
    for (Index i = 0; i < rows.rows(); ++i) {
        const std::span<double> row = stage.row(b, h, i);
        for (Index j = 0; j < rows.cols(); ++j) row[static_cast<std::size_t>(j)] = rows(i, j);
    }
}

void keep(Tensor& stage, Index b, Index h, const Vector& rows)
{
    for (Index i = 0; i < rows.size(); ++i) stage(b, h, i) = rows(i);
}

} // namespace

AttentionStages attention(const AttentionProblem& problem)
{
    const auto [B, H, Hkv, L, S, D, Dv] = check(problem);
    const Index group_size = H / Hkv;
    const double scale = problem.options.scale.value_or(1 / std::sqrt(static_cast<double>(D)));

    AttentionStages all{.scores = Tensor({B, H, L, S}),
                        .masked_scores = Tensor({B, H, L, S}, hidden),
                        .row_max = Tensor({B, H, L}),
                        .row_sum = Tensor({B, H, L}),
                        .weights = Tensor({B, H, L, S}),
                        .output = Tensor({B, H, L, Dv}),
                        .lse = Tensor({B, H, L})};

    for (Index b = 0; b < B; ++b)
        for (Index hkv = 0; hkv < Hkv; ++hkv) {
            const Matrix K = rows(problem.kv, problem.kv.k, b, hkv); // [S, D]
            const Matrix V = rows(problem.kv, problem.kv.v, b, hkv); // [S, Dv]

            // The query heads of this group share K and V.
            for (Index h = hkv * group_size; h < (hkv + 1) * group_size; ++h) {
                const Matrix Q = queries(problem.q, b, h); // [L, D]
                const double sink_logit =
                    problem.sink_logits.empty() ? hidden : problem.sink_logits[static_cast<std::size_t>(h)];

                const Matrix scores = scaled_products(Q, K, scale, problem, b);          // [L, S]
                const Matrix masked_scores = cap_bias_and_mask(scores, problem, b, h);   // [L, S]
                const Vector row_max = largest(masked_scores, sink_logit);               // [L]
                const Vector row_sum = denominators(masked_scores, row_max, sink_logit); // [L]
                const Matrix weights = softmax(masked_scores, row_max, row_sum);         // [L, S]
                const Matrix output = weighted_values(weights, masked_scores, V);        // [L, Dv]
                const Vector lse = log_sum_exp(row_max, row_sum);                        // [L]

                keep(all.scores, b, h, scores);
                keep(all.masked_scores, b, h, masked_scores);
                keep(all.row_max, b, h, row_max);
                keep(all.row_sum, b, h, row_sum);
                keep(all.weights, b, h, weights);
                keep(all.output, b, h, output);
                keep(all.lse, b, h, lse);
            }
        }
    return all;
}

} // namespace headroom
