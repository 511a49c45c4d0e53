#include "reference/verification/check.h"

#include "reference/attention/attention.h"
#include "reference/tensor/print.h"
#include "reference/verification/plain.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headroom {
namespace {

double largest_logit(const Tensor& masked_scores)
{
    double largest = 0;
    for (const double x : masked_scores.values())
        if (std::isfinite(x)) largest = std::max(largest, std::fabs(x));
    return largest;
}

// "masked_scores: error 3.1 exceeds 0.002; worst at …", or that it happened where no float can hold the logits.
std::string reason_of(const Comparison& diverging, const Tensor& masked_scores, DType kv_type)
{
    if (diverging.worst_at.empty()) return diverging.stage + ": " + diverging.complaint;
    const double largest = largest_logit(masked_scores);
    constexpr double float_ends = std::numeric_limits<float>::max();
    if (kv_type != DType::f64 && largest > float_ends && !std::isfinite(diverging.worst_error))
        return diverging.stage + ": got " + to_text(diverging.got) + " for " + to_text(diverging.expected) + " at " +
               to_text(diverging.worst_at) + ": the logits, up to " + to_text(largest) + ", are beyond float";
    return diverging.stage + ": " + diverging.complaint + "; worst at " + to_text(diverging.worst_at) + ", got " +
           to_text(diverging.got) + ", expected " + to_text(diverging.expected) + " (" + diverging.bound.reason + ")";
}

} // namespace

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
    result.reason = reason_of(*diverging, expected.exact.masked_scores, kv_type);
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
