// Attention as three nested loops over the contract's words, to check the library with. It is slow, uses no code of
// reference/attention and takes softmax literally: exp(score) / sum of exp, in long double, without a maximum.
#pragma once
#include "reference/contract/problem.h"

namespace headroom {

struct DumbAnswer {
    Tensor visible;                // [B, H, L, S] 1 where query i sees key j
    Tensor masked_scores, weights; // [B, H, L, S]
    Tensor output;                 // [B, H, L, Dv]
    Tensor lse;                    // [B, H, L]
};
DumbAnswer dumb_attention(const AttentionProblem& problem, Index S); // S: extent of the stages' last axis

} // namespace headroom
