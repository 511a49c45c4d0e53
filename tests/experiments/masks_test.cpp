// Every implementation spells out its own mask. On all small cases their outputs must show the same keys.
#include "experiments/implementations.h"
#include "tests/support/catch.h"
#include "tests/support/dumb_attention.h"
#include "tests/support/small_masks.h"
#include <cmath>

using namespace headroom;

TEST_CASE("the outputs of all implementations on the CPU show the same masks")
{
    std::vector<Implementation> list = implementations();
    std::erase_if(list, [](const Implementation& each) { return each.executor != "cpu"; });
    REQUIRE(list.size() >= 2);
    Index n = 0, compared = 0;
    for_all_small_masks([&](const AttentionProblem& p) {
        if (++n % 5 != 0) return; // coprime to the inner loops: every combination of two options occurs
        const DumbAnswer expected = dumb_attention(p, p.keys);
        for (const Implementation& each : list) {
            if (!why_not(each.claims, p).empty()) continue;
            const AttentionStages got = run(each, p);
            bool same = true; // the least difference of one key more or less is 1/5 - 1/6
            for (std::size_t at = 0; at < got.output.values().size(); ++at)
                same = same && std::fabs(got.output.values()[at] - expected.output.values()[at]) <= 1e-6;
            if (!same)
                FAIL_CHECK(each.name << " differs at causal " << static_cast<int>(p.options.causal) << ", window "
                                     << p.options.window << ", sinks " << p.options.sinks << ", L " << p.q.extent[2]
                                     << ", query length " << *p.query_length << ", stored " << *p.kv.length
                                     << ", evicted " << *p.kv.evicted << ", kept first " << p.kv.kept_first);
            ++compared;
        }
    });
    CHECK(compared > 20000);
}

TEST_CASE("an implementation is found by name and, if it is a kernel, by executor")
{
    const auto named = [](const char* name, const char* executor) {
        Implementation each = implementation(name, {}, [](const AttentionProblem&) { return AttentionStages{}; });
        each.executor = executor;
        return each;
    };
    const std::vector<Implementation> list{named("reference", "cpu"), named("decode/01", "device"),
                                           named("decode/01", "simt"), named("decode/02", "simt")};
    CHECK(find(list, "decode/01").executor == "device");
    CHECK(find(list, "decode/01", "auto").executor == "device");
    CHECK(find(list, "decode/01", "simt").executor == "simt");
    CHECK(find(list, "decode/02", "").executor == "simt");
    CHECK(find(list, "reference", "").executor == "cpu");
    CHECK_THROWS_AS(find(list, "reference", "simt"), std::invalid_argument);
    CHECK_THROWS_AS(find(list, "reference", "auto"), std::invalid_argument);
    CHECK_THROWS_AS(find(list, "decode/02", "device"), std::invalid_argument);
    CHECK_THROWS_AS(find(list, "decode/03", ""), std::invalid_argument);
}
