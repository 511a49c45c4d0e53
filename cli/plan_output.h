// A plan as JSON and as text for one screen.
#pragma once
#include "reference/planning/plan.h"
#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace headroom {

nlohmann::ordered_json plan_json(const Plan& plan);
std::string plan_text(const Plan& plan);
std::string comparison_text(std::span<const Plan> plans);
std::string advice_table();

} // namespace headroom
