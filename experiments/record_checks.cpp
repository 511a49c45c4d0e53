#include "experiments/record_checks.h"

#include "cuda/attention.h"
#include "reference/attention/attention.h"
#include <algorithm>
#include <cmath>

namespace headroom {

RecordedCheck recorded_check(const CheckResult& result, const AttentionProblem& problem, const AttentionStages& got,
                             const Expected& expected)
{
    RecordedCheck check{.implementation = result.implementation,
                        .executor = result.executor,
                        .case_name = result.case_name,
                        .dtype = std::string(name(problem.kv.k.type)),
                        .status = std::string(name(result.status)),
                        .reason = result.reason,
                        .stages = {}};
    for (const Comparison& c : result.stages) {
        RecordedStage kept{.stage = c.stage,
                           .bound = c.bound.largest,
                           .mean_bound = c.bound.mean,
                           .reason = c.bound.reason,
                           .complaint = c.complaint};
        const auto stage = std::ranges::find(stages(), c.stage, &Stage::name);
        const Tensor &theirs = got.*stage->tensor, &right = expected.exact.*stage->tensor;
        if (theirs.shape() == right.shape()) kept.got = theirs, kept.expected = right;
        check.stages.push_back(std::move(kept));
    }
    return check;
}

std::vector<RecordedCheck> record_checks(VerificationSettings settings)
{
    std::vector<RecordedCheck> checks;
    settings.keep = [&](const CheckResult& result, const AttentionProblem& problem, const AttentionStages& got,
                        const Expected& expected) {
        if (result.status != CheckResult::Status::skipped)
            checks.push_back(recorded_check(result, problem, got, expected));
    };
    verify(settings);
    for (RecordedCheck& check : checks) check.own_problem = !settings.problem.empty();
    return checks;
}

namespace {

// The reference with one mistake in it.
struct Planted {
    const char* name;
    void (*spoil)(AttentionOptions& options, Index width);
};
const Planted planted_mistakes[] = {
    {"scale missing", [](AttentionOptions& options, Index) { options.scale = 1; }},
    {"mask off by one position", [](AttentionOptions& options, Index) { options.causal = Causal::top_left; }},
    {"scale of the padded width",
     [](AttentionOptions& options, Index width) {
         options.scale = 1 / std::sqrt(static_cast<double>((width + 127) / 128 * 128));
     }},
};

} // namespace

std::vector<RecordedCheck> example_checks(bool planted, std::string_view executor)
{
    std::vector<RecordedCheck> checks;
    for (const Case& each_case : example_cases()) {
        const PosedProblem posed(each_case.recipe);
        const Expected expected(posed.problem());
        const auto add = [&](const Implementation& each) {
            AttentionStages got;
            const CheckResult result = check(each, each_case.name, posed.problem(), expected, &got);
            if (result.status != CheckResult::Status::skipped)
                checks.push_back(recorded_check(result, posed.problem(), got, expected));
        };
        for (const Implementation& each : cuda::ladder(executor))
            if (each.name.starts_with("decode/0") && each.name < "decode/05") add(each);
        for (const Planted& mistake : planted_mistakes) {
            if (!planted) break;
            const Index width = each_case.recipe.D;
            add(implementation(std::string("reference, ") + mistake.name, every_claim(),
                               [&mistake, width](const AttentionProblem& p) {
                                   AttentionProblem spoilt = p;
                                   mistake.spoil(spoilt.options, width);
                                   return attention(spoilt);
                               }));
        }
    }
    return checks;
}

} // namespace headroom
