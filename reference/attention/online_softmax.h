// The softmax-weighted sum of values, built key by key or tile by tile, and merged in any order.
//
//     state    max = largest score     sum = sum exp(score - max)     weighted = sum exp(score - max) v
//     merge    scale both states to the larger max, then add (Milakov & Gimelshein 2018; Dao et al. 2022)
//     empty    max = -inf, sum = 0, weighted = 0: merging it changes nothing
//     finish   output = weighted / sum, lse = max + log(sum); a learned sink enters here, and only here
//
// A key that is not seen is not added; a score of -inf says the same.
#pragma once
#include "reference/tensor/tensor.h"
#include <limits>
#include <optional>

namespace headroom {

struct SoftmaxResult {
    std::vector<double> output; // [Dv] 0 where no key was seen
    double max, sum, lse;       // -inf, 0, -inf where neither key nor sink was seen
};

class OnlineSoftmax {
public:
    explicit OnlineSoftmax(Index value_dim) : weighted_(static_cast<std::size_t>(value_dim)) {}
    OnlineSoftmax(double max, double sum, std::span<const double> weighted) // one that comes from elsewhere
        : max_(max), sum_(sum), weighted_(weighted.begin(), weighted.end())
    {}

    void add(double score, std::span<const double> value);
    // A tile: one rescaling for all of its keys. values holds scores.size() rows of value_dim.
    void add_tile(std::span<const double> scores, std::span<const double> values);
    void merge(const OnlineSoftmax& other); // associative, commutative, the empty state is neutral

    // The state stays free of the sink, so that parts can still be merged: it counts exactly once, in the final result.
    SoftmaxResult finish(std::optional<double> sink_logit = {}) const;

    double max() const { return max_; }
    double sum() const { return sum_; }
    std::span<const double> weighted() const { return weighted_; }

private:
    void raise_max(double score); // scales what is there to a larger maximum
    double max_ = -std::numeric_limits<double>::infinity();
    double sum_ = 0;
    std::vector<double> weighted_; // [Dv]
};

} // namespace headroom
