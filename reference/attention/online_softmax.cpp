#include "reference/attention/online_softmax.h"

#include <cassert>
#include <cmath>
#include <utility>

namespace headroom {
namespace {

constexpr double unseen = -std::numeric_limits<double>::infinity();

double larger(double a, double b) { return std::isnan(b) || b > a ? b : a; } // a NaN wins: it must not get lost

// exp(score - max), exactly 0 for what was not seen, also where nothing was.
double share(double score, double max) { return score == unseen ? 0 : std::exp(score - max); }

} // namespace

void OnlineSoftmax::raise_max(double score)
{
    const double max = larger(max_, score);
    if (max == max_) return;
    const double factor = share(max_, max);
    sum_ *= factor;
    for (double& w : weighted_) w *= factor;
    max_ = max;
}

void OnlineSoftmax::add(double score, std::span<const double> value) { add_tile({&score, 1}, value); }

void OnlineSoftmax::add_tile(std::span<const double> scores, std::span<const double> values)
{
    const std::size_t Dv = weighted_.size();
    assert(values.size() == scores.size() * Dv);
    double max = unseen;
    for (const double score : scores) max = larger(max, score);
    if (max == unseen) return;
    raise_max(max);
    for (std::size_t j = 0; j < scores.size(); ++j) {
        if (scores[j] == unseen) continue; // 0 * NaN would be NaN
        const double weight = share(scores[j], max_);
        sum_ += weight;
        for (std::size_t d = 0; d < Dv; ++d) weighted_[d] += weight * values[j * Dv + d];
    }
}

void OnlineSoftmax::merge(const OnlineSoftmax& other)
{
    if (other.max_ == unseen) return;
    raise_max(other.max_);
    const double factor = share(other.max_, max_);
    sum_ += factor * other.sum_;
    for (std::size_t d = 0; d < weighted_.size(); ++d) weighted_[d] += factor * other.weighted_[d];
}

SoftmaxResult OnlineSoftmax::finish(std::optional<double> sink_logit) const
{
    OnlineSoftmax all = *this;
    if (sink_logit && *sink_logit != unseen) { // a key without a value
        all.raise_max(*sink_logit);
        all.sum_ += share(*sink_logit, all.max_);
    }
    SoftmaxResult result{.output = std::move(all.weighted_), .max = all.max_, .sum = all.sum_, .lse = unseen};
    if (all.max_ == unseen) return result;
    for (double& x : result.output) x /= all.sum_;
    result.lse = all.max_ + std::log(all.sum_);
    return result;
}

} // namespace headroom
