// Faults that were reported of other projects' kernels, as tests of every step that claims the feature. The smallest input
// of each report has one feature per head; steps with tiles of features get it padded with zeros to 64.
#include "cuda/attention.h"
#include "reference/contract/problem_file.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace headroom;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// q = 0, so that all visible keys weigh the same; v[b][hkv][j] in feature 0.
OwnedProblem equal_scores(Index B, Index H, Index Hkv, Index L, Index S, const std::vector<double>& values,
                          Index D = 64, DType type = DType::f16)
{
    Tensor v({B, Hkv, S, D});
    for (std::size_t n = 0; n < values.size(); ++n) v.values()[n * static_cast<std::size_t>(D)] = values[n];
    OwnedProblem p;
    p.q = store(Tensor({B, H, L, D}), type);
    p.k = store(Tensor({B, Hkv, S, D}, 1.0), type);
    p.v = store(v, type);
    return p;
}

// Calls look(name, stages) with the answer of every step that takes the problem; at least `least` do.
template <class Look> void every_step(const OwnedProblem& owned, int least, Look look)
{
    int ran = 0;
    for (const Implementation& step : cuda::ladder("simt")) {
        try {
            const AttentionStages answer = run(step, owned.problem());
            INFO(step.name);
            look(answer);
            ++ran;
        } catch (const Unsupported&) {
        }
    }
    CHECK(ran >= least);
}

} // namespace

TEST_CASE("1: query heads read their own KV head, interleaved")
{
    every_step(equal_scores(1, 4, 2, 1, 1, {10, 20}), 11, [](const AttentionStages& s) {
        for (Index h = 0; h < 4; ++h) CHECK(s.output(0, h, 0, 0) == Approx(h < 2 ? 10 : 20));
    });
}

TEST_CASE("2: causal is bottom-right with a cache")
{
    every_step(equal_scores(1, 1, 1, 2, 5, {1, 2, 3, 4, 5}), 10, [](const AttentionStages& s) {
        CHECK(s.output(0, 0, 0, 0) == Approx(2.5));
        CHECK(s.output(0, 0, 1, 0) == Approx(3.0));
    });
}

TEST_CASE("4: a row whose keys are all masked is zero, not NaN, and its neighbour stays right")
{
    OwnedProblem p = equal_scores(1, 1, 1, 2, 2, {7, 9});
    p.options.causal = Causal::none;
    p.mask = Tensor({1, 1, 2, 2}, {1, 0, 0, 0});
    every_step(p, 7, [](const AttentionStages& s) {
        CHECK(s.output(0, 0, 0, 0) == Approx(7));
        CHECK(s.output(0, 0, 1, 0) == 0);
        CHECK(s.lse(0, 0, 1) == -infinity);
    });
}

TEST_CASE("5: slots behind the length do not matter, even if they hold NaN")
{
    OwnedProblem p = equal_scores(1, 1, 1, 1, 4, {1, 3, 0, 0});
    const std::vector<double> nan(64, std::nan(""));
    for (const Index j : {2, 3}) p.k.write_row(0, 0, j, nan), p.v.write_row(0, 0, j, nan);
    p.kv_lengths = {2};
    every_step(p, 11, [](const AttentionStages& s) { CHECK(s.output(0, 0, 0, 0) == Approx(2)); });
}

TEST_CASE("10: the soft cap comes before the mask")
{
    OwnedProblem p = equal_scores(1, 1, 1, 2, 2, {1, 0});
    p.options.soft_cap = 2;
    every_step(p, 8, [](const AttentionStages& s) { CHECK(s.output(0, 0, 0, 0) == Approx(1)); });
}

TEST_CASE("19: a product beyond what f16 can hold")
{
    OwnedProblem p;
    p.q = store(Tensor({1, 1, 1, 128}, 256.0), DType::f16);
    p.k = store(Tensor({1, 1, 2, 128}, 256.0), DType::f16);
    Tensor v({1, 1, 2, 128}, 1.0);
    for (double& x : v.row(0, 0, 1)) x = 3;
    p.v = store(v, DType::f16);
    every_step(p, 12, [](const AttentionStages& s) { CHECK(s.output(0, 0, 0, 0) == Approx(2)); });
    p.k.write_row(0, 0, 1, std::vector<double>(128));
    every_step(p, 12, [](const AttentionStages& s) { CHECK(s.output(0, 0, 0, 0) == Approx(1)); });
}

TEST_CASE("20: scores and running sums keep more digits than bf16")
{
    OwnedProblem p = equal_scores(1, 1, 1, 1, 2, {0, 1}, 64, DType::bf16);
    std::vector<double> row(64);
    row[0] = row[1] = 16;
    p.q.write_row(0, 0, 0, row);
    row[0] = 128, row[1] = 0; // a score of 256
    p.k.write_row(0, 0, 0, row);
    row[1] = 0.5; // of 257
    p.k.write_row(0, 0, 1, row);
    every_step(p, 11, [](const AttentionStages& s) { CHECK(s.output(0, 0, 0, 0) == Approx(0.731059).epsilon(0.005)); });
    every_step(equal_scores(1, 1, 1, 1, 1000, std::vector<double>(1000, 1), 64, DType::bf16), 11,
               [](const AttentionStages& s) { CHECK(s.output(0, 0, 0, 0) == Approx(1).epsilon(0.001)); });
}

TEST_CASE("23: an empty sequence leaves its neighbours alone")
{
    OwnedProblem p = equal_scores(3, 1, 1, 1, 3, {1, 2, 3, 0, 0, 0, 10, 20, 0});
    p.kv_lengths = {3, 0, 2};
    every_step(p, 11, [](const AttentionStages& s) {
        for (const auto& [b, output, lse] :
             {std::tuple{0, 2.0, std::log(3.0)}, {1, 0.0, -infinity}, {2, 15.0, std::log(2.0)}}) {
            CHECK(s.output(b, 0, 0, 0) == Approx(output));
            if (std::isinf(lse))
                CHECK(s.lse(b, 0, 0) == lse);
            else
                CHECK(s.lse(b, 0, 0) == Approx(lse));
        }
    });
}

TEST_CASE("23: its neighbours have the bits of a batch without it")
{
    OwnedProblem with = equal_scores(3, 1, 1, 1, 3, {1, 2, 3, 0, 0, 0, 10, 20, 0}),
                 without = equal_scores(2, 1, 1, 1, 3, {1, 2, 3, 10, 20, 0});
    with.kv_lengths = {3, 0, 2}, without.kv_lengths = {3, 2};
    int ran = 0;
    for (const Implementation& step : cuda::ladder("simt")) {
        if (!why_not(step.claims, with.problem()).empty()) continue;
        INFO(step.name);
        const AttentionStages a = run(step, with.problem()), b = run(step, without.problem());
        for (const Index s : {0, 1}) {
            CHECK(std::ranges::equal(a.output.row(2 * s, 0, 0), b.output.row(s, 0, 0)));
            CHECK(a.lse(2 * s, 0, 0) == b.lse(s, 0, 0));
        }
        ++ran;
    }
    CHECK(ran >= 11);
}

TEST_CASE("25: a sink logit enters the denominator exactly once, however the keys are split")
{
    OwnedProblem p = equal_scores(1, 1, 1, 1, 1, {10});
    p.sink_logits = {0};
    every_step(p, 11, [](const AttentionStages& s) { CHECK(s.output(0, 0, 0, 0) == Approx(5)); });
    p.sink_logits = {100};
    every_step(p, 11, [](const AttentionStages& s) {
        CHECK(s.output(0, 0, 0, 0) == Approx(0).margin(1e-30));
        CHECK(s.lse(0, 0, 0) == Approx(100));
    });
    p.kv_lengths = {0};
    every_step(p, 11, [](const AttentionStages& s) {
        CHECK(s.output(0, 0, 0, 0) == 0);
        CHECK(s.lse(0, 0, 0) == Approx(100));
    });
    OwnedProblem many = equal_scores(1, 1, 1, 1, 600, std::vector<double>(600, 10)); // several splits
    many.sink_logits = {std::log(600.0)};
    every_step(many, 11, [](const AttentionStages& s) { CHECK(s.output(0, 0, 0, 0) == Approx(5)); });
}

TEST_CASE("26: the scale comes from the unpadded head_dim")
{
    OwnedProblem p = equal_scores(1, 1, 1, 1, 2, {1, 0}, 80);
    std::vector<double> ten(80), one(80);
    ten[0] = 10, one[0] = 1;
    p.q.write_row(0, 0, 0, one);
    p.k.write_row(0, 0, 0, ten);
    p.k.write_row(0, 0, 1, std::vector<double>(80));
    every_step(p, 6, [](const AttentionStages& s) { CHECK(s.output(0, 0, 0, 0) == Approx(0.753624).epsilon(1e-4)); });
}
