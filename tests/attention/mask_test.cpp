// Who sees whom, on every small case: the reference's mask, the tiles' key ranges and three nested loops must agree. The
// outputs of all implementations are compared in tests/experiments/masks_test.cpp.
#include "reference/attention/key_range.h"
#include "reference/attention/mask.h"
#include "tests/support/catch.h"
#include "tests/support/dumb_attention.h"
#include "tests/support/small_masks.h"

using namespace headroom;

TEST_CASE("the masks of reference and tiles agree with the contract on all small cases")
{
    const Index cases = for_all_small_masks([](const AttentionProblem& p) {
        const DumbAnswer expected = dumb_attention(p, 6);
        bool same = true;
        for (Index i = 0; i < p.q.extent[2]; ++i) {
            const KeyRanges ranges = key_ranges(p, 0, i);
            for (Index j = 0; j < 6; ++j) {
                const bool seen = expected.visible(0, 0, i, j) != 0;
                const auto within = [j](KeyRange r) { return r.begin <= j && j < r.end; };
                same = same && visible(p, 0, 0, i, j) == seen;
                same = same && (within(ranges.sinks) || within(ranges.recent)) == seen;
                same = same && !(within(ranges.sinks) && within(ranges.recent)); // nothing is added twice
            }
        }
        if (!same)
            FAIL_CHECK("causal " << static_cast<int>(p.options.causal) << ", window " << p.options.window << ", sinks "
                                 << p.options.sinks << ", L " << p.q.extent[2] << ", query length " << *p.query_length
                                 << ", stored " << *p.kv.length << ", evicted " << *p.kv.evicted << ", kept first "
                                 << p.kv.kept_first);
    });
    CHECK(cases > 30000);
}

TEST_CASE("a window counts the query's own token")
{
    const AttentionOptions window{.window = 3, .sinks = 1};
    for (const auto& [key, seen] :
         {std::pair{10, true}, {9, true}, {8, true}, {7, false}, {1, false}, {0, true}, {11, false}})
        CHECK(allowed(window, 10, key) == seen);
}
