// The softmax sum is kept in bf16, whose eight bits cannot count beyond 256.
#include "reference/tensor/dtype.h"
#include "tutorials/museum/exhibit.h"

#include <array>
#include <cmath>

namespace headroom::museum {
namespace {

double as_bf16(double x)
{
    std::array<std::byte, 2> stored;
    encode(DType::bf16, x, stored.data());
    return decode(DType::bf16, stored.data());
}

// Sum of exp(score) over the keys.
double sum_of(const std::vector<double>& scores, bool fault)
{
    double sum = 0;
    for (const double score : scores) {
        sum += std::exp(score);
        if (fault) sum = as_bf16(sum); // 256 + 1 is 256 again
    }
    return sum;
}

std::vector<Row> run(bool fault)
{
    std::vector<Row> rows;
    for (const int keys : {100, 256, 257, 512, 1000}) {
        const std::vector<double> equal(static_cast<std::size_t>(keys)); // every score 0, every value 1
        rows.push_back({keys, keys / sum_of(equal, fault), {}});
    }
    return rows;
}

} // namespace

extern const Exhibit bf16_running_sum{
    "bf16_running_sum",
    {"The softmax sum is kept in bf16", "softmax 的求和用 bf16 保存"},
    {"{} keys", "{} 个键"},
    {"", ""},
    {"output", "输出"},
    run,
    "tests/attention/reported_faults_test.cpp",
    "report 20: scores and sums keep more than the eight bits of bf16",
    "https://github.com/huggingface/transformers/pull/33317 https://github.com/Dao-AILab/flash-attention/issues/613"};

} // namespace headroom::museum
