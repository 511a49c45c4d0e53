// Which of the compiled kernels this machine can run.
#pragma once
#include "reference/parallel/kernels/kernels.h"
#include <string_view>
#include <vector>

namespace headroom::parallel {

std::vector<std::string_view> instruction_sets(); // best first; "plain" is always there

// Empty: the best. Throws std::invalid_argument that lists what this machine has.
const Kernels& kernels(std::string_view instruction_set = {});

} // namespace headroom::parallel
