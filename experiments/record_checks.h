// A verification with every number that it compared: what the Verify scene shows.
#pragma once
#include "experiments/verification.h"
#include "reference/recording/recording.h"

namespace headroom {

RecordedCheck recorded_check(const CheckResult& result, const AttentionProblem& problem, const AttentionStages& got,
                             const Expected& expected);

// All that verify() checks with these settings, skipped ones left out.
std::vector<RecordedCheck> record_checks(VerificationSettings settings);

// A short one for looking at: a few steps of the ladder on two problems; `planted`: beside them a reference with a mistake
// in it, for each of three mistakes.
std::vector<RecordedCheck> example_checks(bool planted);

} // namespace headroom
