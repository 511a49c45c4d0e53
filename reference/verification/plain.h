// Attention in the precision of its inputs and no better: the yardstick for what error is to be expected.
//
//     products and sums in float, one after the other; weights rounded to k's type when that has 16 bits
#pragma once
#include "reference/contract/problem.h"

namespace headroom {

// `exact` says which keys each query sees (masked_scores = -inf: not), so that only the arithmetic differs.
AttentionStages plain_attention(const AttentionProblem& problem, const AttentionStages& exact);

} // namespace headroom
