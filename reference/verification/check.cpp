#include "reference/verification/check.h"

#include "reference/attention/attention.h"
#include "reference/verification/plain.h"
#include <algorithm>
#include <utility>

namespace headroom {

Expected::Expected(const AttentionProblem& problem) : exact(attention(problem)), plain(plain_attention(problem, exact))
{}

const Comparison* CheckResult::first_diverging() const
{
    const auto found = std::ranges::find_if(stages, [](const Comparison& c) { return !c.passed(); });
    return found == stages.end() ? nullptr : &*found;
}

std::string_view name(CheckResult::Status status)
{
    switch (status) {
    case CheckResult::Status::passed: return "passed";
    case CheckResult::Status::failed: return "failed";
    default: return "skipped";
    }
}

CheckResult judge(const AttentionStages& got, const Expected& expected, DType kv_type)
{
    CheckResult result;
    result.stages = compare(got, expected.exact, expected.plain, kv_type);
    if (got.output.shape() == expected.exact.output.shape())
        result.output_error = difference(got.output, expected.exact.output);
    const Comparison* diverging = result.first_diverging();
    result.status = diverging ? CheckResult::Status::failed : CheckResult::Status::passed;
    if (!diverging) {
        const auto output = std::ranges::find(result.stages, "output", &Comparison::stage);
        result.reason = output->bound.reason;
        return result;
    }
    std::string where;
    for (const Index i : diverging->worst_at) where += (where.empty() ? "" : ", ") + std::to_string(i);
    result.reason = diverging->stage + ": " + diverging->complaint;
    if (!where.empty())
        result.reason += "; worst at [" + where + "], got " + std::to_string(diverging->got) + ", expected " +
                         std::to_string(diverging->expected) + " (" + diverging->bound.reason + ")";
    return result;
}

CheckResult check(const Implementation& implementation, const std::string& case_name, const AttentionProblem& problem,
                  const Expected& expected, AttentionStages* got)
{
    CheckResult result;
    try {
        AttentionStages answer = run(implementation, problem);
        result = judge(answer, expected, problem.kv.k.type);
        if (got) *got = std::move(answer);
    } catch (const Unsupported& refusal) {
        result.reason = refusal.what();
    } catch (const std::exception& fault) { // a simulated kernel's race or hang, a driver's error
        result.status = CheckResult::Status::failed;
        result.reason = fault.what();
    }
    result.implementation = implementation.name;
    result.executor = implementation.executor;
    result.case_name = case_name;
    return result;
}

} // namespace headroom
