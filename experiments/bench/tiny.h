// Whether the fast path loses on shapes that are too small for it: whole calls, with checks, memory and all, beside the
// reference's and beside its own with one thread.
#pragma once
#include "experiments/bench/bench.h"

namespace headroom {

struct TinyRow {
    BenchCase shape;
    std::vector<BenchRow> rows; // the reference, the fast path, the fast path with one thread
    double faster,
        faster_than_one_thread; // than the reference; than itself with one thread: medians of the pairs' ratios
};
const std::vector<BenchCase>& tiny_shapes();
std::vector<TinyRow> tiny(const BenchSettings& settings);

} // namespace headroom
