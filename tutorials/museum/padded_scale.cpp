// A kernel pads head_dim to its tile and takes the softmax scale from what it has padded to.
#include "tutorials/museum/exhibit.h"

#include <cmath>

namespace headroom::museum {
namespace {

// What q k is multiplied by.
double scale_of(int head_dim, bool fault)
{
    const int padded = (head_dim + 63) / 64 * 64; // the tile's width
    return 1 / std::sqrt(fault ? padded : head_dim);
}

std::vector<Row> run(bool fault)
{
    const std::vector<double> v{1, 0};
    std::vector<Row> rows;
    for (const int head_dim : {37, 64, 80, 96}) {
        const std::vector<double> weights = softmax({10 * scale_of(head_dim, fault), 0}); // q k is 10 and 0
        rows.push_back({head_dim, weighted(weights, v), weights});
    }
    return rows;
}

} // namespace

extern const Exhibit padded_scale{
    "padded_scale",
    {"The scale comes from the padded head_dim", "缩放系数取自补齐后的 head_dim"},
    {"head_dim {}", "head_dim {}"},
    {"key", "键"},
    {"output", "输出"},
    run,
    "tests/attention/reported_faults_test.cpp",
    "report 26: the scale comes from the head_dim that there is, not from a padded one",
    "https://github.com/Dao-AILab/flash-attention/issues/1347 https://github.com/sgl-project/sglang/pull/28637 "
    "https://github.com/intel/ipex-llm/pull/12619"};

} // namespace headroom::museum
