// Every step of the ladder on the host executor, on the quick cases, in every order of threads.
#include "cuda/attention.h"
#include "reference/verification/cases.h"
#include "reference/verification/check.h"
#include "tests/support/catch.h"

#include <map>

using namespace headroom;

TEST_CASE("every step passes the quick cases that it claims, in every order of threads")
{
    std::map<std::string, int> passed;
    for (const Case& each : cases()) {
        if (!each.quick) continue;
        const PosedProblem posed(each.recipe);
        const Expected expected(posed.problem());
        for (const Implementation& step : cuda::ladder_under_every_schedule()) {
            const CheckResult result = check(step, each.name, posed.problem(), expected);
            INFO(step.name << ": " << each.name << ": " << result.reason);
            CHECK(result.status != CheckResult::Status::failed);
            passed[step.name] += result.status == CheckResult::Status::passed;
        }
    }
    for (const cuda::StepInfo& step : cuda::steps()) {
        INFO(step.name);
        CHECK(passed[step.name] >= 3); // not all refused
    }
}

TEST_CASE("random problems within the claims")
{
    for (const Implementation& step : cuda::ladder("simt"))
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
            const PosedProblem posed(every_feature(step.claims, seed));
            const CheckResult result = check(step, "random", posed.problem(), Expected(posed.problem()));
            INFO(step.name << " seed " << seed << ": " << result.reason);
            CHECK(result.status != CheckResult::Status::failed);
        }
}

TEST_CASE("a step refuses by name what it does not do")
{
    const PosedProblem odd({.S = 9, .D = 37});
    int refused = 0;
    for (const Implementation& step : cuda::ladder("simt")) try {
            run(step, odd.problem());
        } catch (const Unsupported& refusal) {
            CHECK(std::string(refusal.what()).find(step.name) == 0);
            ++refused;
        }
    CHECK(refused >= 8);
}

TEST_CASE("a window of 2^32 keys and more hides nothing, on every step")
{
    for (const Implementation& step : cuda::ladder("simt"))
        for (const DType type : {DType::f32, DType::f16}) {
            const PosedProblem posed(
                {.L = 3, .S = 40, .type = type, .q_type = type, .options = {.window = Index{1} << 32}});
            const CheckResult result = check(step, "window", posed.problem(), Expected(posed.problem()));
            INFO(step.name << ": " << result.reason);
            CHECK(result.status != CheckResult::Status::failed);
        }
}

TEST_CASE("a problem without a query is refused by every step")
{
    const PosedProblem none({.L = 0});
    for (const Implementation& step : cuda::ladder("simt")) CHECK_THROWS_AS(run(step, none.problem()), Unsupported);
}

TEST_CASE("a step refuses a grid beyond CUDA's limits")
{
    const PosedProblem many({.B = 65536, .H = 1, .Hkv = 1, .S = 1, .D = 64, .type = DType::f16, .q_type = DType::f16});
    for (const Implementation& step : cuda::ladder("simt"))
        if (step.name < "decode/07") { // those behind have a grid of another shape, and would take minutes
            INFO(step.name);
            CHECK_THROWS_AS(run(step, many.problem()), Unsupported);
        }
}

TEST_CASE("a value that is NaN stays where it is seen, or is refused")
{
    // Behind the queries of the first half, and behind the window.
    for (const AttentionOptions& options : {AttentionOptions{}, AttentionOptions{.window = 8}})
        for (const DType type : {DType::f32, DType::f16}) {
            const PosedProblem posed(
                {.L = 30, .S = 30, .D = 64, .type = type, .q_type = type, .options = options, .nan_in_v = true});
            const Expected expected(posed.problem());
            for (const Implementation& step : cuda::ladder("simt")) {
                const CheckResult result = check(step, "NaN", posed.problem(), expected);
                INFO(step.name << ": " << result.reason);
                CHECK(result.status != CheckResult::Status::failed);
            }
        }
}
