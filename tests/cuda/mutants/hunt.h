// Looks for what is wrong with a compiled step or cache kernel: every case that it claims, in every order of threads.
#pragma once
#include "cuda/executor/simt/simt_executor.h"
#include <cstddef>
#include <string>

namespace headroom {

struct Trial { // one case in one order
    std::size_t order = 0, number = 0;
};
std::string name_of_order(const Trial& trial); // "random, eager copies"
std::string name_of_case(std::string_view step, const Trial& trial);

// "output diverges", or the executor's fault; empty: nothing is wrong. Without a library: this program's own kernels.
std::string wrong(std::string_view step, const std::filesystem::path& library, const Trial& trial);

struct Finding {
    std::string what; // empty: nothing
    Trial trial;
};
Finding hunt(std::string_view step, const std::filesystem::path& library);

} // namespace headroom
