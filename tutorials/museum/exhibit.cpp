#include "tutorials/museum/exhibit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace headroom::museum {

#define EXHIBIT(name) extern const Exhibit name;
#include "tutorials/museum/exhibits.inc"
#undef EXHIBIT

std::span<const Exhibit* const> exhibits()
{
    static const std::array all{
#define EXHIBIT(name) &name,
#include "tutorials/museum/exhibits.inc"
#undef EXHIBIT
    };
    return all;
}

std::vector<double> softmax(const std::vector<double>& scores)
{
    std::vector<double> weights(scores.size());
    const double largest = std::ranges::max(scores);
    if (largest == -std::numeric_limits<double>::infinity()) return weights;
    double sum = 0;
    for (std::size_t j = 0; j < scores.size(); ++j) sum += weights[j] = std::exp(scores[j] - largest);
    for (double& weight : weights) weight /= sum;
    return weights;
}

double weighted(const std::vector<double>& weights, const std::vector<double>& values)
{
    double sum = 0;
    for (std::size_t j = 0; j < weights.size(); ++j) sum += weights[j] * values[j];
    return sum;
}

} // namespace headroom::museum
