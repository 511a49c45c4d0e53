// A verification with every number that it compared: what the Verify scene shows.
#pragma once
#include "experiments/verification.h"
#include "reference/recording/recording.h"
#include "reference/verification/cases.h"

namespace headroom {

RecordedCheck recorded_check(const CheckResult& result, const AttentionProblem& problem, const AttentionStages& got,
                             const Expected& expected);

// All that verify() checks with these settings, skipped ones left out.
std::vector<RecordedCheck> record_checks(VerificationSettings settings);

const std::vector<Case>& example_cases(); // the problems of example_checks

// A short one for looking at: a few steps of the ladder on two problems; `planted`: beside them a reference with a mistake
// in it, for each of three mistakes.
// `executor`: simt, ptx or device; throws std::runtime_error where it is missing here.
std::vector<RecordedCheck> example_checks(bool planted, std::string_view executor = "simt");

} // namespace headroom
