// The list of cases has no blind spot, and what verification itself computes is right on it.
#include "reference/attention/attention.h"
#include "reference/verification/cases.h"
#include "reference/verification/check.h"
#include "tests/support/catch.h"

#include <cmath>
#include <set>

using namespace headroom;

namespace {

bool any(bool (*has)(const Recipe&))
{
    return std::ranges::any_of(cases(), [&](const Case& c) { return has(c.recipe); });
}

const Claims everything = every_claim();

} // namespace

TEST_CASE("names of cases are unique")
{
    std::set<std::string> names;
    for (const Case& c : cases()) CHECK(names.insert(c.name).second);
}

TEST_CASE("no blind spot")
{
    CHECK(any([](const Recipe& r) { return 1 < r.Hkv && r.Hkv < r.H && r.B > 1; }));
    CHECK(any([](const Recipe& r) { return r.L > 1 && r.L != r.S; }));
    CHECK(any([](const Recipe& r) { return std::ranges::count(r.lengths, 0) && std::ranges::count(r.lengths, 65); }));
    CHECK(any([](const Recipe& r) { return r.S == 0; }));
    CHECK(any([](const Recipe& r) { return r.S == 1; }));
    for (const Index D : {1, 37, 64, 80, 128, 256})
        CHECK(std::ranges::any_of(cases(), [&](const Case& c) { return c.recipe.D == D; }));
    for (const Index group : {1, 2, 4, 7, 8, 16})
        CHECK(std::ranges::any_of(cases(), [&](const Case& c) { return c.recipe.H == group * c.recipe.Hkv; }));
    CHECK(any([](const Recipe& r) { return r.Hkv == 1 && r.H > 1; }));
    CHECK(any([](const Recipe& r) { return r.Dv && r.Dv != r.D; }));
    CHECK(any([](const Recipe& r) { return r.block > 1; }));
    CHECK(any([](const Recipe& r) { return !r.evicted.empty(); }));
    CHECK(any([](const Recipe& r) { return !r.query_lengths.empty(); }));
}

TEST_CASE("plain arithmetic of the same precision stays within its own bounds")
{
    for (const Case& c : cases()) {
        if (c.recipe.type == DType::f64) continue; // plain arithmetic is float
        if (c.recipe.bias || c.recipe.mask || c.recipe.sink_logits) continue;
        INFO(c.name);
        const PosedProblem posed(c.recipe);
        const Expected expected(posed.problem());
        const CheckResult result = judge(expected.plain, expected, c.recipe.type);
        INFO(result.reason);
        CHECK(result.status == CheckResult::Status::passed);
    }
}

TEST_CASE("random problems stay within what is claimed")
{
    const Claims narrow{.kv_types = {DType::bf16},
                        .q_types = {DType::bf16},
                        .head_dims = {64, 128},
                        .most_queries = 4,
                        .largest_group = 8,
                        .causal = true,
                        .ragged = true};
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        CHECK(why_not(narrow, PosedProblem(every_feature(narrow, seed)).problem()).empty());
        CHECK(why_not(everything, PosedProblem(every_feature(everything, seed)).problem()).empty());
    }
}

TEST_CASE("the same seed makes the same problem")
{
    const PosedProblem a(every_feature(everything, 7)), b(every_feature(everything, 7));
    CHECK(attention(a.problem()).output.values().size() > 0);
    CHECK(std::ranges::equal(attention(a.problem()).output.values(), attention(b.problem()).output.values()));
}
