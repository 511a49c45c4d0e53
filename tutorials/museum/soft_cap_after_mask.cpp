// The soft cap squeezes every score into (-cap, cap), the mask's minus infinity too.
#include "tutorials/museum/exhibit.h"

#include <cmath>
#include <limits>

namespace headroom::museum {
namespace {

// One query's scores with a soft cap; hidden keys end at -inf.
std::vector<double> capped(std::vector<double> scores, const std::vector<bool>& visible, double cap, bool fault)
{
    const auto mask = [&] {
        for (std::size_t j = 0; j < scores.size(); ++j)
            if (!visible[j]) scores[j] = -std::numeric_limits<double>::infinity();
    };
    if (fault) mask(); // tanh(-inf) is -1
    for (double& score : scores) score = cap * std::tanh(score / cap);
    if (!fault) mask();
    return scores;
}

std::vector<Row> run(bool fault)
{
    const std::vector<double> v{1, 0};
    std::vector<Row> rows;
    for (const int cap : {2, 5, 50}) {
        const std::vector<double> weights = softmax(capped({0, 0}, {true, false}, cap, fault));
        rows.push_back({cap, weighted(weights, v), weights});
    }
    return rows;
}

} // namespace

extern const Exhibit soft_cap_after_mask{
    "soft_cap_after_mask",
    {"The soft cap comes after the mask", "软上限用在了掩码之后"},
    {"soft cap {}", "软上限 {}"},
    {"key", "键"},
    {"output", "输出"},
    run,
    "tests/attention/reported_faults_test.cpp",
    "report 10: the soft cap comes before the mask",
    "https://github.com/onnx/onnx/issues/7865 https://github.com/onnx/onnx/pull/7867 "
    "https://github.com/microsoft/onnxruntime/pull/28379"};

} // namespace headroom::museum
