// The fast path on every instruction set that this machine has, with one thread and with several, against the reference.
#include "reference/parallel/instruction_sets.h"
#include "reference/parallel/parallel_attention.h"
#include "reference/tensor/random.h"
#include "reference/verification/cases.h"
#include "reference/verification/check.h"
#include "tests/support/catch.h"
#include "tests/support/dumb_attention.h"
#include "tests/support/small_masks.h"
#include <cmath>
#include <limits>

using namespace headroom;

namespace {

std::vector<ParallelOptions> ways()
{
    std::vector<ParallelOptions> list;
    for (const std::string_view set : parallel::instruction_sets())
        for (const int threads : {1, 3}) list.push_back({.threads = threads, .instruction_set = std::string(set)});
    return list;
}

// How many ways of computing it passed.
int passes(const std::string& name, const Recipe& recipe)
{
    const PosedProblem posed(recipe);
    const Expected expected(posed.problem());
    int passed = 0;
    for (const ParallelOptions& way : ways()) {
        const CheckResult r = check(parallel_implementation(way), name, posed.problem(), expected);
        INFO(way.instruction_set << ", " << way.threads << " threads: " << name << ": " << r.reason);
        CHECK(r.status != CheckResult::Status::failed);
        passed += r.status == CheckResult::Status::passed;
    }
    return passed;
}

} // namespace

TEST_CASE("the plain kernels are always there, and others are asked for by name")
{
    CHECK(parallel::instruction_sets().back() == "plain");
    CHECK_THROWS_WITH(parallel_implementation({.instruction_set = "avx1024"}),
                      containing("avx1024") && containing("plain"));
}

TEST_CASE("every case within its bounds, with every instruction set")
{
    int passed = 0;
    for (const Case& c : cases()) passed += passes(c.name, c.recipe);
    CHECK(passed > 120 * static_cast<int>(ways().size()));
}

TEST_CASE("random problems over all that is claimed")
{
    for (std::uint64_t seed = 500; seed < 540; ++seed)
        CHECK(passes("seed " + std::to_string(seed), every_feature(parallel_claims(), seed)) > 0);
}

TEST_CASE("long enough for several parts per sequence, which are merged")
{
    for (const DType type : {DType::f32, DType::bf16, DType::i8}) {
        Recipe r{.B = 2, .H = 4, .Hkv = 2, .S = 5000, .D = 64, .type = type, .lengths = {5000, 700}};
        r.scaling = type == DType::i8 ? Scaling::per_head_and_token : Scaling::none;
        CHECK(passes("long", r) > 0);
        r.L = 40, r.S = 2500, r.lengths = {2500, 40}, r.sink_logits = true;
        CHECK(passes("long, many rows", r) > 0);
    }
}

TEST_CASE("many heads that share keys, more and fewer than a row has columns")
{
    for (const DType type : {DType::f32, DType::bf16, DType::f8e4m3})
        for (const auto& [H, D] : {std::pair<Index, Index>{8, 64}, {9, 32}, {16, 64}, {33, 128}, {33, 16}, {70, 80}}) {
            Recipe r{.B = 1, .H = H, .Hkv = 1, .S = 600, .D = D, .type = type};
            CHECK(passes("MQA of " + std::to_string(H) + " heads, D " + std::to_string(D), r) > 0);
        }
}

TEST_CASE("blocks of any size, which a window may begin in the middle of")
{
    for (const Index block : {0, 1, 3, 4, 6, 16, 128, 200})
        for (const Index H : {2, 4, 8, 16})
            for (const auto& [type, D] : {std::pair{DType::f32, 64}, {DType::bf16, 128}, {DType::i8, 96}}) {
                Recipe r{
                    .B = 2, .H = H, .Hkv = 2, .S = 700, .D = D, .type = type, .lengths = {700, 129}, .block = block};
                r.scaling = type == DType::i8 ? Scaling::per_head_and_token : Scaling::none;
                const std::string what =
                    "blocks of " + std::to_string(block) + ", " + std::to_string(H) + " heads, D " + std::to_string(D);
                CHECK(passes(what, r) > 0);
                r.options.window = 301, r.options.sinks = 5;
                CHECK(passes(what + ", window", r) > 0);
            }
}

TEST_CASE("a row that stands for all keys is read as often as there are keys")
{
    Random random(4);
    const Tensor q = random_uniform({1, 4, 1, 64}, random), k = random_uniform({1, 2, 1, 64}, random);
    const StoredTensor keys = store(k, DType::f32), values = store(k, DType::f32);
    const Index length = 70;
    AttentionProblem p{
        .q = view(q), .kv = {.k = keys.view(), .v = values.view(), .sequences = 1, .length = &length}, .options = {}};
    for (StoredView* part : {&p.kv.k, &p.kv.v}) part->extent[2] = length, part->byte_stride[2] = 0;
    const Expected expected(p);
    for (const ParallelOptions& way : ways()) {
        const CheckResult r = check(parallel_implementation(way), "", p, expected);
        INFO(way.instruction_set << ": " << r.reason);
        CHECK(r.status == CheckResult::Status::passed);
    }
}

TEST_CASE("as many rows as are calculated at once, and some more, narrower and wider than their tile of keys")
{
    for (const Index rows : {95, 96, 97, 100, 127, 128, 129, 200})
        for (const Index D : {64, 128, 192, 256}) {
            Recipe r{.B = 1, .H = 1, .Hkv = 1, .L = rows, .S = 300, .D = D, .type = DType::bf16};
            CHECK(passes(std::to_string(rows) + " rows, D " + std::to_string(D), r) > 0);
        }
}

TEST_CASE("queries lie as their strides say: apart, the other way round, or one for all")
{
    Random random(5);
    const Tensor q = random_uniform({1, 4, 3, 64}, random), k = random_uniform({1, 2, 70, 64}, random);
    const StoredTensor keys = store(k, DType::f32), queries = store(q, DType::f32);
    const Index length = 70;
    for (const Index stride : {-1, 0, 1}) {
        AttentionProblem p{.q = queries.view(),
                           .kv = {.k = keys.view(), .v = keys.view(), .sequences = 1, .length = &length},
                           .options = {}};
        if (stride < 0) p.q.data += 2 * p.q.byte_stride[2];
        p.q.byte_stride[2] *= stride;
        const Expected expected(p);
        for (const ParallelOptions& way : ways()) {
            const CheckResult r = check(parallel_implementation(way), "", p, expected);
            INFO(way.instruction_set << ", stride " << stride << ": " << r.reason);
            CHECK(r.status == CheckResult::Status::passed);
        }
    }
}

TEST_CASE("static scales: per tensor, per head and per channel")
{
    Random random(3);
    const Tensor q = random_uniform({1, 4, 2, 64}, random), k = random_uniform({1, 2, 70, 64}, random);
    for (const DType type : {DType::i8, DType::f8e4m3})
        for (const Scaling scaling : {Scaling::per_tensor, Scaling::per_head, Scaling::per_channel}) {
            const StoredTensor keys = store(k, type, scaling), values = store(k, type, scaling);
            const Index length = 70;
            AttentionProblem p{.q = view(q),
                               .kv = {.k = keys.view(), .v = values.view(), .sequences = 1, .length = &length},
                               .options = {}};
            const Expected expected(p);
            for (const ParallelOptions& way : ways()) {
                const CheckResult r = check(parallel_implementation(way), "", p, expected);
                INFO(way.instruction_set << ", " << name(scaling) << ": " << r.reason);
                CHECK(r.status == CheckResult::Status::passed);
            }
        }
}

TEST_CASE("the masks agree with the contract on all small cases")
{
    const Implementation few = parallel_implementation({.threads = 1});
    Index n = 0;
    for_all_small_masks([&](AttentionProblem p) {
        if (++n % 7 != 0) return;
        const DumbAnswer expected = dumb_attention(p, p.keys);
        const StoredTensor k = store(load(p.kv.k), DType::f32), v = store(load(p.kv.v), DType::f32);
        p.kv.k = k.view(), p.kv.v = v.view();
        const AttentionStages got = run(few, p);
        bool same = true;
        for (std::size_t at = 0; at < got.output.values().size(); ++at)
            same = same && std::fabs(got.output.values()[at] - expected.output.values()[at]) <= 1e-6;
        if (!same) FAIL_CHECK("case " << n << " shows other keys");
    });
    CHECK(n > 30000);
}

TEST_CASE("what a query does not see does not matter, even if it is NaN, and what it sees does")
{
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    Random random(5);
    for (const Index L : {Index{5}, Index{60}}) { // few rows, many rows
        const Tensor q = random_uniform({1, 2, L, 16}, random), clean = random_uniform({1, 1, L, 16}, random);
        for (const double poison : {nan, infinity, -infinity}) {
            const Index bad = L / 2;
            Tensor k = clean, v = clean;
            k(0, 0, bad, 3) = v(0, 0, bad, 5) = poison;
            const StoredTensor keys = store(k, DType::f32), values = store(v, DType::f32),
                               good = store(clean, DType::f32);
            AttentionProblem p{.q = view(q),
                               .kv = {.k = keys.view(), .v = values.view(), .sequences = 1, .length = &L},
                               .options = {}};
            AttentionProblem healthy = p;
            healthy.kv.k = healthy.kv.v = good.view();
            for (const ParallelOptions& way : ways()) {
                const AttentionStages got = run(parallel_implementation(way), p),
                                      expected = run(parallel_implementation(way), healthy);
                for (Index h = 0; h < 2; ++h)
                    for (Index i = 0; i < L; ++i) {
                        if (i < bad)
                            CHECK(std::ranges::equal(got.output.row(0, h, i), expected.output.row(0, h, i),
                                                     [](double a, double b) { return std::fabs(a - b) < 1e-5; }));
                        if (i >= bad && std::isnan(poison)) CHECK(std::isnan(got.output(0, h, i, 5)));
                    }
            }
        }
    }
}

TEST_CASE("keys and values of f64 are refused by name")
{
    Random random(1);
    const Tensor x = random_uniform({1, 1, 3, 8}, random);
    const Index length = 3;
    const AttentionProblem p{
        .q = view(x), .kv = {.k = view(x), .v = view(x), .sequences = 1, .length = &length}, .options = {}};
    CHECK_THROWS_WITH(run(parallel_implementation(), p), containing("parallel") && containing("f64"));
}

TEST_CASE("a prepared problem is launched again and again")
{
    const PosedProblem posed({.B = 2, .H = 8, .S = 900, .D = 64, .lengths = {900, 17}});
    const Expected expected(posed.problem());
    for (const ParallelOptions& way : ways()) {
        const auto prepared = parallel_implementation(way).prepare(posed.problem());
        for (int n = 0; n < 30; ++n) prepared->launch();
        CHECK(judge(prepared->stages(), expected, DType::f32).status == CheckResult::Status::passed);
    }
}
