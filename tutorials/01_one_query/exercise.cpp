#include "tutorials/01_one_query/exercise.h"

#include <cmath>

std::vector<double> softmax(const std::vector<double>& scores)
{
    // TODO: right for small scores. What becomes of a score of 2000?
    std::vector<double> weights;
    double sum = 0;
    for (const double score : scores) {
        weights.push_back(std::exp(score));
        sum += weights.back();
    }
    for (double& weight : weights) weight /= sum;
    return weights;
}
