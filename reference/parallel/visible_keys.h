// Which slots a query may look at. Positions grow with slots, so causality, window and sinks each leave a range.
#pragma once
#include "reference/contract/problem.h"

namespace headroom::parallel {

struct VisibleKeys {
    Index sinks_end = 0, begin = 0, end = 0; // slots [0, sinks_end) and [begin, end); sinks_end <= begin <= end

    Index count() const { return sinks_end + end - begin; }
    Index slot(Index n) const { return n < sinks_end ? n : n - sinks_end + begin; } // the n-th of them
    bool sees(Index j) const { return j < sinks_end || (begin <= j && j < end); }
    bool sees_all(Index from, Index to) const { return to <= sinks_end || (begin <= from && to <= end) || from >= to; }
};

VisibleKeys visible_keys(const AttentionProblem& problem, Index b, Index i);

// All that any of queries [first, last) may look at.
VisibleKeys visible_keys(const AttentionProblem& problem, Index b, Index first, Index last);

// Whether mask and bias, where there are any, let query i of head h see slot j.
bool mask_allows(const AttentionProblem& problem, Index b, Index h, Index i, Index j);
float bias(const AttentionProblem& problem, Index b, Index h, Index i, Index j);

} // namespace headroom::parallel
