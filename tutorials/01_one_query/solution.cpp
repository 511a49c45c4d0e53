#include "tutorials/01_one_query/exercise.h"

#include <algorithm>
#include <cmath>

std::vector<double> softmax(const std::vector<double>& scores)
{
    // Every weight is exp(score) / sum. Multiplying numerator and denominator by exp(-max) changes nothing, except that
    // no exponent is above 0 any more.
    const double max = *std::ranges::max_element(scores);
    std::vector<double> weights;
    double sum = 0;
    for (const double score : scores) {
        weights.push_back(std::exp(score - max));
        sum += weights.back();
    }
    for (double& weight : weights) weight /= sum;
    return weights;
}
