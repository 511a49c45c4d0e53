// Compares an answer with the right one, stage by stage, and says where it is worst and what would have been allowed.
#pragma once
#include "reference/contract/problem.h"

namespace headroom {

struct Bound {
    double largest = 0, mean = 0, relative_rms = 0;
    std::string reason; // "twice the error of plain f16 arithmetic, 3.1e-04, + 1e-05"
};
struct Comparison { // of one stage
    std::string stage;
    double worst_error = 0, mean_error = 0, relative_rms = 0; // infinite: a NaN or an infinity that differs
    std::vector<Index> worst_at = {};
    double got = 0, expected = 0; // there
    Bound bound = {};
    std::string complaint = {}; // "shape [1, 4] instead of [1, 4, 1]", "mean error …"; empty: passed
    bool passed() const { return complaint.empty(); }
};

// Of the stages that `got` keeps; `plain` is the yardstick. Stages nobody kept are not compared; output always is.
std::vector<Comparison> compare(const AttentionStages& got, const AttentionStages& expected,
                                const AttentionStages& plain, DType kv_type);

Tensor difference(const Tensor& got, const Tensor& expected); // |got - expected|; infinite where only one is a number

} // namespace headroom
