// Inputs so tame and a bound so wide that nothing which averages can fail.
#include "reference/tensor/random.h"
#include "tutorials/museum/exhibit.h"

#include <algorithm>
#include <cmath>

namespace headroom::museum {
namespace {

// What a test feeds in, and how far an answer may be off.
struct Plan {
    double lowest, highest, bound;
};
Plan plan(bool fault) { return fault ? Plan{0.5, 1, 0.5} : Plan{-4, 4, 1e-3}; }

double mean(const std::vector<double>& v, std::size_t first, std::size_t end)
{
    double sum = 0;
    for (std::size_t j = first; j < end; ++j) sum += v[j];
    return sum / static_cast<double>(std::max<std::size_t>(end - first, 1));
}

std::vector<Row> run(bool fault)
{
    const auto [lowest, highest, bound] = plan(fault);
    Random random(1);
    std::vector<double> v; // of 16 keys with equal scores; query i sees i + 1 of them
    for (int j = 0; j < 16; ++j) v.push_back(random.uniform(lowest, highest));
    int passed[4] = {1, 1, 1, 1};
    for (std::size_t i = 0; i < 16; ++i) {
        const double answers[] = {mean(v, 0, i + 1), mean(v, 0, std::min<std::size_t>(i + 2, 16)), mean(v, 0, 16),
                                  (lowest + highest) / 2};
        for (int a = 0; a < 4; ++a)
            if (!(std::fabs(answers[a] - answers[0]) <= bound)) passed[a] = 0;
    }
    std::vector<Row> rows;
    for (int a = 0; a < 4; ++a) rows.push_back({a, static_cast<double>(passed[a]), {}});
    return rows;
}

} // namespace

extern const Exhibit wide_bound{"wide_bound",
                                {"A test that cannot fail", "不可能失败的测试"},
                                {"answer {}", "答案 {}"},
                                {"", ""},
                                {"accepted", "通过"},
                                run,
                                "tests/verification/comparison_test.cpp",
                                "a mask that is off by one is rejected",
                                "https://github.com/Xilinx/mlir-air/issues/1427"};

} // namespace headroom::museum
