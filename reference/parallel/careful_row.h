// One query's attention again, in double and one key at a time, for a result that is not finite: the fast path multiplies
// what a query does not see by 0, which gives NaN where a hidden value is NaN or infinite. Here it is left out.
#pragma once
#include "reference/contract/problem.h"

namespace headroom::parallel {

struct CarefulRow {
    double max, sum;            // over the visible keys, without a sink
    std::vector<double> output; // [Dv] sum of exp(score - max) v
};
CarefulRow careful_row(const AttentionProblem& problem, Index b, Index h, Index i);

} // namespace headroom::parallel
