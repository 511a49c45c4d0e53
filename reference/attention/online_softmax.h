// The softmax-weighted sum of values, built tile by tile and merged in any order.
//
//     m = max score     l = sum exp(score - m)     o = sum exp(score - m) v     empty: m = -inf, l = 0, o = 0
#pragma once
#include "reference/tensor/tensor.h"
#include <limits>

namespace headroom {

struct OnlineSoftmax {
    double max = -std::numeric_limits<double>::infinity();
    double sum = 0;
    std::vector<double> weighted; // [Dv]

    explicit OnlineSoftmax(Index value_dim) : weighted(static_cast<std::size_t>(value_dim)) {}
    void add(double score, std::span<const double> value); // an empty value: a learned sink
    void merge(const OnlineSoftmax& other);                // associative, commutative, empty is neutral
    std::vector<double> output() const;                    // 0 where no key was seen
    double lse() const;                                    // -inf where no key was seen
};

} // namespace headroom
