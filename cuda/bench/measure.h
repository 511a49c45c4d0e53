// Times every step that takes a shape.
#pragma once
#include "cuda/bench/shapes.h"
#include "cuda/executor/executor.h"
#include <string>

namespace headroom::cuda {

struct Measured {
    std::string implementation;
    double microseconds = 0;
    std::string failure; // instead of a time
};
// Each launch reads other memory than the one before, so that no cache holds it: `working_set` bytes in all.
std::vector<Measured> measure(Executor& executor, const BenchShape& shape, Index working_set, int samples);

} // namespace headroom::cuda
