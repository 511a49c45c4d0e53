// What `headroom trace` prints: a table for people, JSON for scripts.
#pragma once
#include "experiments/tracing.h"

namespace headroom {

std::string trace_text(const Traces& traces);
std::string trace_json(const Traces& traces);

} // namespace headroom
