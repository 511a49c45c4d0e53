// Whole vectors, tiles and cache lines.
#pragma once
#include "reference/tensor/tensor.h"

namespace headroom::parallel {

constexpr Index rounded_up(Index n, Index multiple) { return (n + multiple - 1) / multiple * multiple; }

// So many floats or some more, so that what lies behind them begins with a cache line.
constexpr Index whole_lines(Index floats) { return rounded_up(floats, 16); }

} // namespace headroom::parallel
