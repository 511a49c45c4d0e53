// The keys at which a query has to look at all: causality and a window leave one or two ranges, the rest needs no score.
#pragma once
#include "reference/contract/problem.h"

namespace headroom {

struct KeyRange {
    Index begin, end; // [begin, end)
};
struct KeyRanges {
    KeyRange sinks, recent; // neither overlaps the other; sinks come first
};

// Slots of sequence b that written keys, causality, window and sinks leave to query i. Bias and mask may hide more.
KeyRanges key_ranges(const AttentionProblem& problem, Index b, Index i);

} // namespace headroom
