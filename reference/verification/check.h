// Runs an implementation on a problem and judges its answer.
#pragma once
#include "reference/contract/implementation.h"
#include "reference/verification/comparison.h"

namespace headroom {

// The right answer and its yardstick: made once per problem, used for every implementation.
struct Expected {
    explicit Expected(const AttentionProblem& problem);
    AttentionStages exact, plain;
};

struct CheckResult {
    enum class Status : std::uint8_t { passed, failed, skipped };
    Status status = Status::skipped;
    std::string implementation, executor, case_name;
    std::string reason;             // why skipped or failed; if passed, the reason of the bound
    std::vector<Comparison> stages; // in order of computation: the first that did not pass is the first that diverged
    Tensor output_error;            // |got - expected|: what the Verify scene shows

    const Comparison* first_diverging() const;
};
std::string_view name(CheckResult::Status status);

// Keeps the answer in `got`, if asked to; where there is none it stays as it was.
CheckResult check(const Implementation& implementation, const std::string& case_name, const AttentionProblem& problem,
                  const Expected& expected, AttentionStages* got = nullptr);

// Judges an answer that somebody else computed.
CheckResult judge(const AttentionStages& got, const Expected& expected, DType kv_type);

} // namespace headroom
