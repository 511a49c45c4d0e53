// A comparison that asks whether the error is too large: NaN is not larger than anything.
#include "tutorials/museum/exhibit.h"

#include <cmath>
#include <limits>

namespace headroom::museum {
namespace {

// Whether a kernel's answer is accepted.
bool accepted(const std::vector<double>& answer, const std::vector<double>& right, double bound, bool fault)
{
    for (std::size_t n = 0; n < right.size(); ++n) {
        const double error = std::fabs(answer[n] - right[n]);
        if (fault ? error > bound : !(error <= bound)) return false;
    }
    return true;
}

std::vector<Row> run(bool fault)
{
    constexpr double NaN = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> right{1.5, -2, 3};
    const std::vector<std::vector<double>> answers{right, {1.5, -2, 4}, {1.5, NaN, 3}, {NaN, NaN, NaN}};
    std::vector<Row> rows;
    for (const auto& answer : answers)
        rows.push_back({static_cast<int>(rows.size()), accepted(answer, right, 1e-3, fault) ? 1.0 : 0.0, {}});
    return rows;
}

} // namespace

extern const Exhibit nan_passes{"nan_passes",
                                {"A test that lets NaN pass", "放过 NaN 的测试"},
                                {"answer {}", "答案 {}"},
                                {"", ""},
                                {"accepted", "通过"},
                                run,
                                "tests/verification/comparison_test.cpp",
                                "one NaN anywhere is rejected",
                                "https://github.com/ROCm/MIOpen/pull/1400"};

} // namespace headroom::museum
