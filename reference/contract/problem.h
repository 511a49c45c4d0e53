// The question (AttentionProblem) and the answer (AttentionStages) of every implementation of attention. This is the
// contract in words; every implementation spells out its own arithmetic, so that comparing two of them finds mistakes.
//
//     order       scores = scale * q k; soft cap (cap * tanh(scores / cap)), bias and mask give masked_scores; softmax
//                 gives row_max, row_sum, weights; output = weights v. lse = log sum exp(masked_scores), natural.
//     positions   key j: see KvView. The newest query stands at the newest key: query i of n stands at seen - n + i,
//                 where seen = length + evicted and n = query_length (L unless padded). Top-left: query i stands at i.
//     visible     key j of sequence b iff it is written (j < length[b]), the mask allows it, and, if causal,
//                 position(j) <= position of the query; with a window W also position(j) > position of the query - W
//                 (W counts the query's own token), or position(j) < sinks. A window requires causal, sinks a window.
//     empty row   a query that sees no key: output 0, lse -inf (with a sink logit: that logit), weights 0. Never NaN.
//     unseen      slots that a query does not see do not matter, even if they hold NaN or Inf: select, never multiply.
//     padding     queries i >= query_length[b] are padding: their rows are empty rows
//     sink logit  one per query head; enters maximum and sum exactly once and carries no value
//     heads       query head h reads KV head h / group_size, group_size = H / Hkv
#pragma once
#include "reference/contract/kv_view.h"
#include "reference/contract/options.h"
#include <vector>

namespace headroom {

// Refers to memory that its maker keeps alive, like std::span.
struct AttentionProblem {
    StoredView q; // [B, H, L, D]
    KvView kv;
    AttentionOptions options;
    const Index* query_length = nullptr;      // [B] real queries of a padded batch; null: L. The last one is newest
    const Tensor* bias = nullptr;             // [B|1, H|1, L|1, S|1]
    const Tensor* mask = nullptr;             // the same, 1: visible
    std::span<const double> sink_logits = {}; // [H] or empty
};

struct AttentionShape {
    Index B, H, Hkv, L, S, D, Dv;
    Index group_size() const { return H / Hkv; }
};
AttentionShape check(const AttentionProblem& problem); // std::invalid_argument names tensor, shape and rule

// Every intermediate, in the order of computation; an implementation leaves empty what it does not keep.
struct AttentionStages {
    Tensor scores;        // [B, H, L, S]   scale * q k
    Tensor masked_scores; // [B, H, L, S]   after cap, bias, mask
    Tensor row_max;       // [B, H, L]
    Tensor row_sum;       // [B, H, L]
    Tensor weights;       // [B, H, L, S]
    Tensor output;        // [B, H, L, Dv]
    Tensor lse;           // [B, H, L]
};

// The one place that knows the stages' names, order and axes; comparing, recording, drawing and printing loop over it.
struct Stage {
    std::string_view name, axes;
    Tensor AttentionStages::*tensor;
};
std::span<const Stage> stages();

} // namespace headroom
