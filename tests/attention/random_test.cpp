// Random problems over all shapes and options, against three nested loops that share no code with the library.
#include "reference/attention/attention.h"
#include "reference/attention/online.h"
#include "tests/support/catch.h"
#include "tests/support/dumb_attention.h"
#include "tests/support/random_problem.h"
#include <cmath>

using namespace headroom;

namespace {

// Scores reach some hundreds, whose exponentials double knows to 1e-13.
void expect_close(const Tensor& got, const Tensor& expected, double bound = 1e-10)
{
    REQUIRE(got.shape() == expected.shape());
    for (std::size_t n = 0; n < expected.values().size(); ++n) {
        const double a = got.values()[n], b = expected.values()[n];
        if (a == b) continue; // also infinities
        if (!(std::fabs(a - b) <= bound)) FAIL_CHECK("element " << n << " is " << a << ", expected " << b);
    }
}

} // namespace

TEST_CASE("random problems agree with three nested loops")
{
    bool causal[3] = {};
    int with_bias = 0, with_mask = 0, with_pages = 0, with_sinks = 0, padded = 0, evicted = 0;
    for (std::uint64_t seed = 1000; seed < 1150; ++seed) {
        const RandomProblem random(seed);
        const AttentionProblem& p = random.problem();
        INFO("seed " << seed << ": " << random.describe());
        const DumbAnswer expected = dumb_attention(p, check(p).S);

        const AttentionStages all = attention(p);
        expect_close(all.masked_scores, expected.masked_scores);
        expect_close(all.weights, expected.weights);
        expect_close(all.output, expected.output);
        expect_close(all.lse, expected.lse);

        const AttentionStages online =
            online_attention(p, {.tile = Index(seed % 11 + 1), .parts = Index(seed % 4 + 1)});
        expect_close(online.output, expected.output);
        expect_close(online.lse, expected.lse);
        expect_close(online.row_max, all.row_max);
        expect_close(online.row_sum, all.row_sum);
        CHECK((online.scores.empty() && online.weights.empty()));

        causal[static_cast<int>(p.options.causal)] = true;
        with_bias += p.bias != nullptr, with_mask += p.mask != nullptr, with_pages += p.kv.block_table != nullptr;
        with_sinks += p.options.sinks > 0, padded += p.query_length != nullptr, evicted += p.kv.evicted != nullptr;
    }
    CHECK((causal[0] && causal[1] && causal[2])); // the test must not pass because it drew nothing
    for (const int drawn : {with_bias, with_mask, with_pages, with_sinks, padded, evicted}) CHECK(drawn > 10);
}
