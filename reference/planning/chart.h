// Bytes over context as an SVG picture: both axes logarithmic, one line per model or per way to share heads.
#pragma once
#include "reference/planning/plan.h"
#include <span>
#include <string>

namespace headroom {

// One plan: the model itself, without eviction where that differs, as MHA and as MQA, and the room on the GPU where a
// memory was given. Several plans: one line each.
std::string chart_svg(std::span<const Plan> plans);

} // namespace headroom
