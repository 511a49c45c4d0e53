#include "tutorials/08_online_softmax/exercise.h"

#include <algorithm>
#include <cmath>

void add(Running& running, double score, double value)
{
    if (score == -std::numeric_limits<double>::infinity()) return; // not seen; -inf - -inf would be NaN
    const double max = std::max(running.max, score);
    const double shrink = std::exp(running.max - max), weight = std::exp(score - max);
    running.sum = running.sum * shrink + weight;
    running.weighted = running.weighted * shrink + weight * value;
    running.max = max;
}
