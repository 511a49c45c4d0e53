// Attention over tiles of keys: the [L, S] scores never exist, only one tile of them (Dao et al. 2022, in double).
#pragma once
#include "reference/contract/problem.h"

namespace headroom {

struct OnlineOptions {
    Index tile = 64; // keys whose scores exist at the same time
    Index parts = 1; // ranges of keys that are summed up separately, then merged, as a GPU splits them among its cores
};

// Keeps row_max, row_sum, output and lse; scores, masked_scores and weights stay empty.
AttentionStages online_attention(const AttentionProblem& problem, const OnlineOptions& options = {});

} // namespace headroom
