// Keys are split over several parts, and each part adds the learned sink to its own sum.
#include "tutorials/museum/exhibit.h"

#include <cmath>

namespace headroom::museum {
namespace {

// Output over keys with score 0, computed in parts that are then merged.
double attend_in_parts(const std::vector<double>& v, int parts, double sink, bool fault)
{
    double sum = 0, numerator = 0;
    const std::size_t each = v.size() / static_cast<std::size_t>(parts);
    for (int part = 0; part < parts; ++part) {
        if (fault || part == 0) sum += std::exp(sink); // it belongs to the row, not to a part
        for (std::size_t j = 0; j < each; ++j) {
            sum += std::exp(0.0);
            numerator += v[static_cast<std::size_t>(part) * each + j];
        }
    }
    return numerator / sum;
}

std::vector<Row> run(bool fault)
{
    std::vector<Row> rows;
    for (const int parts : {1, 2, 4, 8})
        rows.push_back({parts, attend_in_parts({1, 2, 3, 4, 5, 6, 7, 8}, parts, 0, fault), {}});
    return rows;
}

} // namespace

extern const Exhibit sink_twice{
    "sink_twice",
    {"An attention sink is counted once for every part", "注意力汇点在每一份里都算了一次"},
    {"parts: {}", "份数：{}"},
    {"", ""},
    {"output", "输出"},
    run,
    "tests/attention/online_test.cpp",
    "any split into 1, 2 or 8 parts, merged in any order, is the whole, and a sink counts once",
    "https://github.com/ROCm/rocm-libraries/issues/12227 https://github.com/NVIDIA/TensorRT-LLM/pull/19220 "
    "https://github.com/Dao-AILab/flash-attention/pull/2752"};

} // namespace headroom::museum
