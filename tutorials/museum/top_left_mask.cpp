// With keys in a cache, the causal mask is laid against the first key instead of the last.
#include "tutorials/museum/exhibit.h"

namespace headroom::museum {
namespace {

// How many of the S keys query i of L may see.
int visible(int i, int L, int S, bool fault)
{
    if (fault) return i + 1; // as if the first query stood at the first key
    return S - L + i + 1;    // the last query stands at the last key
}

std::vector<Row> run(bool fault)
{
    const int L = 2, S = 5;
    const std::vector<double> v{1, 2, 3, 4, 5};
    std::vector<Row> rows;
    for (int i = 0; i < L; ++i) {
        std::vector<double> weights(S);
        const int n = visible(i, L, S, fault);
        for (int j = 0; j < n; ++j) weights[static_cast<std::size_t>(j)] = 1.0 / n; // equal scores
        rows.push_back({i, weighted(weights, v), weights});
    }
    return rows;
}

} // namespace

extern const Exhibit top_left_mask{
    "top_left_mask",
    {"A causal mask from the top-left corner, behind a cache", "有缓存时，因果掩码却从左上角对齐"},
    {"new query {}", "新查询 {}"},
    {"key", "键"},
    {"output", "输出"},
    run,
    "tests/attention/reported_faults_test.cpp",
    "report 2: behind a cache, causal means aligned to the newest key, and top-left only on request",
    "https://github.com/pytorch/pytorch/issues/103082 https://github.com/pytorch/pytorch/issues/144858 "
    "https://github.com/thu-ml/SageAttention/pull/372"};

} // namespace headroom::museum
