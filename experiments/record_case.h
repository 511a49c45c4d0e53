// The problem of a check as a run of its own, computed by the reference: what Decode shows of it.
#pragma once
#include "reference/recording/recording.h"
#include "reference/verification/cases.h"

namespace headroom {

// The case of that name, among those of verify and of example_checks; one sequence of its batch in one lane, with all
// its keys in one step. Throws std::invalid_argument if no case is called so.
Recording record_case(std::string_view name, Index sequence);
Recording record_case(const Case& from, Index sequence);

} // namespace headroom
