// What decides which keys a query sees, as data. The rule itself stands in words at the top of
// problem.h; the reference, the parallel path and the kernels each spell it out, and a test compares them on all small cases.
#pragma once
#include "reference/tensor/tensor.h"
#include <optional>

namespace headroom {

enum class Causal : std::uint8_t { none, bottom_right, top_left };

struct AttentionOptions {
    std::optional<double> scale = {}; // default 1/sqrt(D)
    double soft_cap = 0;              // 0: none
    Causal causal = Causal::bottom_right;
    Index window = 0; // keys a query sees, its own included; 0: all
    Index sinks = 0;  // first tokens that stay visible behind the window
};

} // namespace headroom
