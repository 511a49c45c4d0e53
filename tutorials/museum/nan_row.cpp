// A query that may see no key at all divides nothing by nothing.
#include "tutorials/museum/exhibit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::museum {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Softmax of one query's scores; -inf stands for a key that it may not see.
std::vector<double> weights_of(const std::vector<double>& scores, bool fault)
{
    std::vector<double> weights(scores.size());
    const double largest = std::ranges::max(scores);
    if (!fault && largest == -infinity) return weights; // sees nothing, takes nothing
    double sum = 0;
    for (std::size_t j = 0; j < scores.size(); ++j) sum += weights[j] = std::exp(scores[j] - largest); // -inf - -inf
    for (double& weight : weights) weight /= sum;
    return weights;
}

std::vector<Row> run(bool fault)
{
    const std::vector<double> v{7, 9};
    const std::vector<double> first = weights_of({0, -infinity}, fault);
    const std::vector<double> padding = weights_of({-infinity, -infinity}, fault);
    return {{0, weighted(first, v), first}, {1, weighted(padding, v), padding}};
}

} // namespace

extern const Exhibit nan_row{
    "nan_row",
    {"A row without any key gives NaN", "一行若没有任何可见的键，就得出 NaN"},
    {"query {}", "查询 {}"},
    {"key", "键"},
    {"output", "输出"},
    run,
    "tests/attention/reported_faults_test.cpp",
    "report 4: a row whose keys are all masked is zero, not NaN and not the mean",
    "https://github.com/pytorch/pytorch/issues/103749 https://github.com/ml-explore/mlx/pull/2608 "
    "https://github.com/robertknight/rten/pull/1321"};

} // namespace headroom::museum
