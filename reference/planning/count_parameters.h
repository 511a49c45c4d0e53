// Counts a model's weights.
#pragma once
#include "reference/planning/config_part.h"
#include "reference/planning/geometry.h"
#include "reference/planning/parameters.h"

namespace headroom {

// Throws std::invalid_argument on a size that no model has; a class that is not described has no total, with the reason.
Parameters count_parameters(const nlohmann::json& file, const ConfigPart& config, const Geometry& geometry);

} // namespace headroom
