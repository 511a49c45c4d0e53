// A large negative number stands for "may not be seen": it is a score like any other, and sometimes the largest.
#include "tutorials/museum/exhibit.h"

#include <limits>

namespace headroom::museum {
namespace {

// Scores in which hidden keys can have no weight.
std::vector<double> masked(std::vector<double> scores, const std::vector<bool>& visible, bool fault)
{
    const double hidden = fault ? -10000.0 : -std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (!visible[j]) scores[j] = hidden;
    return scores;
}

std::vector<Row> run(bool fault)
{
    const std::vector<double> v{7, 9};
    std::vector<Row> rows;
    const auto query = [&](const std::vector<double>& scores, const std::vector<bool>& visible) {
        const std::vector<double> weights = softmax(masked(scores, visible, fault));
        rows.push_back({static_cast<int>(rows.size()), weighted(weights, v), weights});
    };
    query({1, 2}, {true, false});      // the usual case looks right
    query({-20000, 2}, {true, false}); // the only visible key scores below the sentinel
    query({1, 2}, {false, false});     // no key is visible
    return rows;
}

} // namespace

extern const Exhibit finite_sentinel{
    "finite_sentinel",
    {"A large negative number stands for minus infinity", "用一个很大的负数代替负无穷"},
    {"query {}", "查询 {}"},
    {"key", "键"},
    {"output", "输出"},
    run,
    "tests/attention/reported_faults_test.cpp",
    "report 4: a row whose keys are all masked is zero, not NaN and not the mean",
    "https://github.com/ohdearquant/lattice/pull/374 https://github.com/pytorch/pytorch/issues/103749"};

} // namespace headroom::museum
