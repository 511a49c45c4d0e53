// How the benchmarks measure and what they conclude: on times that are made up, and on memory, which is the same in every run.
#include "experiments/bench/fit.h"
#include "experiments/bench/growth.h"
#include "experiments/bench/instructions.h"
#include "experiments/bench/rotating_kv.h"
#include "experiments/bench/tiny.h"
#include "tests/support/catch.h"
#include <cmath>
#include <limits>

using namespace headroom;

namespace {

bool near(double a, double b) { return std::fabs(a - b) <= 1e-9 * std::fmax(1, std::fabs(b)); }

BenchRow row_with_fraction(double fraction)
{
    return {.case_name = "D1",
            .impl = "parallel",
            .type = DType::f32,
            .time = {.fraction = fraction},
            .tokens = 1,
            .bytes = 1,
            .flops = 1,
            .peak_rss_bytes = 1};
}

} // namespace

TEST_CASE("medians, of an even number too, and of the ratios of pairs")
{
    CHECK(median({3, 1, 2}) == 2);
    CHECK(median({4, 1, 2, 3}) == 2.5);
    CHECK(std::isnan(median({})));
    // A machine that is three times as slow in one round: no ratio of that round changes.
    const std::vector<double> subject{1, 3, 1, 1}, limit{0.5, 1.5, 0.5, 0.5};
    CHECK(median_ratio(limit, subject) == 0.5);
}

TEST_CASE("subjects take turns: every round has a block of each, and every launch its number")
{
    std::vector<std::pair<char, int>> calls;
    const auto subject = [&](char who, double ms) {
        return [&calls, who, ms](int launch) {
            calls.emplace_back(who, launch);
            return ms;
        };
    };
    const std::vector<Launch> both{subject('a', 2), subject('b', 4)};
    const std::vector<Turns> turns = take_turns(both, {.rounds = 2, .block_ms = 0, .launches = 2, .warm_up = 1});
    CHECK(calls ==
          std::vector<std::pair<char, int>>{
              {'a', 0}, {'b', 0}, {'a', 1}, {'a', 2}, {'b', 1}, {'b', 2}, {'a', 3}, {'a', 4}, {'b', 3}, {'b', 4}});
    CHECK((turns[0].all.size() == 4 && turns[1].blocks == std::vector<double>{4, 4}));
    const Timing t = timing(turns[1], turns[0]);
    CHECK((t.median == 4 && t.limit == 2 && t.fraction == 0.5));
}

TEST_CASE("what is faster than the machine is no measurement, and no number is none")
{
    CHECK_FALSE(row_with_fraction(1.0).impossible());
    CHECK_FALSE(row_with_fraction(1.05).impossible());
    CHECK(row_with_fraction(1.06).impossible());
    CHECK(row_with_fraction(std::numeric_limits<double>::quiet_NaN()).impossible());
    const Timing t = alternate([](int) {}, [](int) { return 50.0; }, {.rounds = 1, .block_ms = 0}); // a limit that lies
    CHECK(row_with_fraction(t.fraction).impossible());
}

TEST_CASE("a fit finds the line and the power, and says how well they fit")
{
    const std::vector<double> x{1, 2, 4, 8}, line{5, 7, 11, 19}, squares{3, 12, 48, 192}, noise{1, -1, -1, 1};
    CHECK(
        (near(fit_line(x, line).start, 3) && near(fit_line(x, line).slope, 2) && near(fit_line(x, line).r_squared, 1)));
    CHECK((near(fit_power(x, squares).slope, 2) && near(std::exp(fit_power(x, squares).start), 3)));
    CHECK(fit_line(x, noise).r_squared < 0.5);
    CHECK(fit_line(x, squares).r_squared < 0.99); // a square is no line
    CHECK_THROWS(fit_line({x.data(), 1}, {line.data(), 1}));
}

TEST_CASE("the memory of the tiled prefill does not depend on the square of its length")
{
    BenchCase c{.name = "memory", .B = 1, .H = 8, .Hkv = 2, .D = 64, .L = 0, .S = 0, .types = {}};
    for (const int threads : {1, 2}) {
        std::vector<TileMemory> all;
        for (const Index n : {1024, 2048, 4096}) {
            c.L = c.S = n;
            all.push_back(tile_memory(c, threads));
        }
        CHECK(all[0].tiles > 0);
        for (const TileMemory& m : all) {
            INFO(threads << " threads, " << m.tokens << " tokens");
            // Not even of the length; several threads share out a short prefill's keys in parts, which takes more.
            CHECK((threads == 1 ? m.tiles == all[0].tiles : m.tiles <= all[0].tiles));
            CHECK(m.output * all[0].tokens == all[0].output * m.tokens); // of the length
            CHECK(m.tiles < m.scores / 8);
        }
    }
}

TEST_CASE("decoding reads as many bytes less as there are KV heads less, and as many more as there are keys more")
{
    const BenchSettings once{
        .type = DType::bf16, .threads = 1, .alternation = {.rounds = 1, .block_ms = 0, .launches = 1}};
    const BenchCase shape{
        .name = "s", .B = 1, .H = 8, .Hkv = 8, .D = 16, .L = 1, .S = 64, .types = {}, .in_cache = true};
    const std::vector<Index> kv_heads{8, 4, 1};
    const std::vector<Sharing> rows = sharing(shape, kv_heads, once);
    REQUIRE(rows.size() == 3);
    CHECK((rows[0].row.case_name == "sharing/MHA" && rows[1].row.case_name == "sharing/GQA(4)" &&
           rows[2].row.case_name == "sharing/MQA"));
    CHECK((rows[0].ideal == 1 && rows[1].ideal == 2 && rows[2].ideal == 8));
    CHECK(rows[0].achieved == 1);

    const Growth g = growth(
        {.bench = once, .shape = shape, .keys = {32, 64}, .heads = {8, 16}, .tokens = {4, 8}, .memory_tokens = {8}});
    CHECK(g.with_keys[1].bytes == 2 * g.with_keys[0].bytes);
    CHECK((g.with_heads[1].bytes == g.with_heads[0].bytes && g.with_heads[1].flops == 2 * g.with_heads[0].flops));
    CHECK(g.prefill[1].flops == 4 * 8 * 16 * (8 * 9 / 2));
    CHECK(g.prefill[1].tokens == 8);
}

TEST_CASE("what is read in turn is four times the last-level cache, and two copies at least")
{
    const Index MiB = 1 << 20;
    CHECK(RotatingKv::copies_beyond(32 * MiB, 16 * MiB) * 16 >= 4 * 32);
    CHECK(RotatingKv::copies_beyond(32 * MiB, 16 * MiB) * 16 <= 5 * 32);
    CHECK(RotatingKv::copies_beyond(32 * MiB, 7) * 7 >= 4 * 32 * MiB);
    CHECK(RotatingKv::copies_beyond(32 * MiB, 1024 * MiB) == 2);
    CHECK(RotatingKv::copies_beyond(0, MiB) == 2);
}

TEST_CASE("instructions are counted, or there is a reason")
{
    const InstructionCounter counter;
    volatile int work = 0;
    for (int n = 0; n < 1000; ++n) work = work + n;
    CHECK((counter.count() > 1000) == counter.why_not().empty());
}
