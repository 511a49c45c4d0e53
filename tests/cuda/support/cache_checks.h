// What the cache kernels must do, in words, on any executor: the tests ask for it, and so does the hunt for planted mistakes.
#pragma once
#include "cuda/executor/executor.h"
#include <string>
#include <string_view>

namespace headroom::cuda {

// "append", "quantise_append" or "expand": what is wrong with it, empty if nothing is.
std::string wrong_with_cache_kernel(std::string_view kernel, Executor& executor);

} // namespace headroom::cuda
