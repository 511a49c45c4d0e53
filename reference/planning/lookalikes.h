// Keys that nobody reads but that look as if they stated something about the cache: better refused than overlooked.
#pragma once
#include "reference/planning/config_part.h"

namespace headroom {

void refuse_lookalikes(const ConfigPart& config); // throws std::invalid_argument naming the key and why it matters

} // namespace headroom
