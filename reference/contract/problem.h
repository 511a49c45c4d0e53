// The question (AttentionProblem) and the answer (AttentionStages) of every implementation of attention. This is the
// contract in words; every implementation spells out its own arithmetic, so that comparing two of them finds mistakes.
//
//     order       scores = scale * q k, scale 1/sqrt(D) unless given; then soft cap (cap * tanh(score / cap)), bias, mask
//                 give masked_scores; softmax gives row_max, row_sum, weights; output = weights v.
//                 lse = log sum exp(masked_scores) = row_max + log(row_sum), natural logarithm.
//     positions   key j: see KvView. The newest query stands at the newest key: query i of n stands at p = seen - n + i,
//                 where seen = length + evicted and n = query_length (L unless padded). Top-left: p = i.
//                 p may be negative: such a query sees nothing.
//     visible     query i of sequence b sees key j iff the key is written (j < length[b]), the mask allows it, its bias
//                 is not -inf, and, if causal, position(j) <= p; with a window W also p - position(j) < W (W counts the
//                 query's own token) or position(j) < sinks. A window requires causal, sinks require a window.
//     broadcast   bias and mask have four axes, each of extent 1 or that of [B, H, L, S]; the last one counts slots j,
//                 not positions.
//     unseen      what a query does not see does not matter, even if it is NaN or Inf: select, never multiply. There
//                 masked_scores is -inf and the weight exactly 0. A NaN that is seen shows, of q and k in lse too.
//     empty row   a query that sees no key: output 0, weights 0, row_max -inf, row_sum 0, lse -inf. Never NaN.
//     padding     queries i >= query_length[b] are padding: they see no key
//     sink logit  one per query head, -inf for none: enters row_max and row_sum exactly once and carries no value.
//                 With it an empty row has row_max = lse = the logit and row_sum 1.
//     heads       query head h reads KV head h / group_size, group_size = H / Hkv
//     stages      scores holds every written key, seen or not; beyond length[b], and for padding, it is 0.
//     sizes       64-bit; B, H, Hkv, D, Dv at least 1; L, S, lengths may be 0. scale, soft cap: 0 or 1e-30 … 1e30 in size
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
    const Tensor* mask = nullptr;             // the same, 1: visible, 0: hidden
    std::span<const double> sink_logits = {}; // [H] or empty
    Index keys = 0;                           // S of bias, mask and stages, if more than the longest kv.length
};

struct AttentionShape {
    Index B, H, Hkv, L, S, D, Dv;
    Index group_size() const { return H / Hkv; }
};

// Throws std::invalid_argument, naming tensor, shape and rule, for every problem that breaks the contract.
AttentionShape check(const AttentionProblem& problem);

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
