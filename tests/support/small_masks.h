// All small cases of who sees whom: up to five queries, six keys, every option that speaks about positions. Scores are
// equal and key j's value is 1 at place j, so that an output shows which keys were seen.
#pragma once
#include "reference/contract/problem.h"

namespace headroom {

// Calls look_at(problem) for each; returns how many there were.
template <class Use> Index for_all_small_masks(Use look_at)
{
    const Index S = 6;
    const Tensor k({1, 1, S, 1});
    Tensor v({1, 1, S, S});
    for (Index j = 0; j < S; ++j) v(0, 0, j, j) = 1;

    Index cases = 0, length = 0, evicted = 0, queries = 0;
    AttentionProblem p;
    p.kv = {.k = view(k), .v = view(v), .sequences = 1, .length = &length, .evicted = &evicted};
    p.query_length = &queries;
    p.keys = S;
    for (const Causal causal : {Causal::none, Causal::bottom_right, Causal::top_left})
        for (Index window = 0; window <= (causal == Causal::none ? 0 : 5); ++window)
            for (Index sinks = 0; sinks <= (window ? 3 : 0); ++sinks)
                for (Index L = 1; L <= 5; ++L) {
                    const Tensor q({1, 1, L, 1});
                    p.q = view(q);
                    p.options = {.causal = causal, .window = window, .sinks = sinks};
                    for (queries = 0; queries <= L; ++queries)
                        for (length = 0; length <= S; ++length)
                            for (const Index gap : {0, 1, 4}) {
                                evicted = gap;
                                for (p.kv.kept_first = 0; p.kv.kept_first <= (gap ? 3 : 0); ++p.kv.kept_first) {
                                    look_at(p);
                                    ++cases;
                                }
                            }
                }
    return cases;
}

} // namespace headroom
