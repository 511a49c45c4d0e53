// What fits on a GPU beside the weights.
#pragma once
#include "reference/planning/plan.h"

namespace headroom {

Fit fit(const Geometry& geometry, const PlanSettings& settings, Index context, Index weight_bytes);

} // namespace headroom
