// The first thing to run on a GPU: a fat binary found by name, one kernel, one tensor map.
#pragma once
#include "cuda/executor/executor.h"
#include <string>

namespace headroom::cuda {

struct FirstSteps {
    std::string kernel, tensor_map; // "passed", or "skipped: …"
};
FirstSteps first_steps(Executor& executor); // throws std::runtime_error that says what came out wrong

} // namespace headroom::cuda
