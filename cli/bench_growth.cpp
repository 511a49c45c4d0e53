// How cost grows, what sharing heads saves, and the smallest shapes, as tables.
#include "cli/bench_output.h"

#include "cli/text.h"
#include "experiments/bench/fit.h"
#include <algorithm>
#include <fmt/format.h>

namespace headroom {
namespace {

std::vector<double> numbers(const std::vector<Index>& list) { return {list.begin(), list.end()}; }

std::vector<double> medians(const std::vector<BenchRow>& rows)
{
    std::vector<double> ms;
    for (const BenchRow& r : rows) ms.push_back(r.time.median);
    return ms;
}

std::string spread(const Timing& t) { return fmt::format("{:.3f} … {:.3f}", t.least, t.most); }

void print_with_keys(const Growth& g)
{
    const Line line = fit_line(numbers(g.keys), medians(g.with_keys));
    const Line power = fit_power(numbers(g.keys), medians(g.with_keys));
    fmt::print("Decode, more keys: linear\n\n{:>8} {:>10} {:>20} {:>10} {:>9} {:>9}\n", "keys", "ms, median",
               "least … most", "line, ms", "off by", "of limit");
    for (std::size_t n = 0; n < g.keys.size(); ++n) {
        const double fitted = line.at(static_cast<double>(g.keys[n])), ms = g.with_keys[n].time.median;
        fmt::print("{:>8} {:>10.3f} {:>20} {:>10.3f} {:>8.1f}% {:>9.2f}\n", g.keys[n], ms, spread(g.with_keys[n].time),
                   fitted, 100 * (ms - fitted) / fitted, g.with_keys[n].time.fraction);
    }
    fmt::print("\nms = {:.3f} + {:.3f} x keys/1024, R² {:.4f}; as a power of keys: {:.2f}\n\n", line.start,
               line.slope * 1024, line.r_squared, power.slope);
}

void print_with_heads(const Growth& g)
{
    fmt::print(
        "Decode, more query heads on the same {} KV heads: flat until the arithmetic takes longer than the reading\n\n"
        "{:>8} {:>10} {:>20} {:>10} {:>12} {:>14}\n",
        g.heads.front(), "heads", "ms, median", "least … most", "x first", "reading, ms", "arithmetic, ms");
    const std::vector<double>& first = g.with_heads.front().time.blocks;
    for (std::size_t n = 0; n < g.heads.size(); ++n) {
        const BenchRow& r = g.with_heads[n];
        fmt::print("{:>8} {:>10.3f} {:>20} {:>10.2f} {:>12.3f} {:>14.3f}\n", g.heads[n], r.time.median, spread(r.time),
                   median_ratio(r.time.blocks, first), r.time.limit, static_cast<double>(r.flops) / g.flops_per_ms);
    }
    fmt::print("\nreading: of keys and values once, the limit; arithmetic: at the rate of the prefill's limit\n\n");
}

void print_prefill(const Growth& g)
{
    const Line power = fit_power(numbers(g.tokens), medians(g.prefill));
    fmt::print("Prefill, more tokens: quadratic\n\n{:>8} {:>10} {:>20} {:>22} {:>9}\n", "tokens", "ms, median",
               "least … most", "x half as many tokens", "of limit");
    for (std::size_t n = 0; n < g.tokens.size(); ++n) {
        const Timing& t = g.prefill[n].time;
        const std::string ratio =
            n == 0 ? "" : fmt::format("{:.2f}", median_ratio(t.blocks, g.prefill[n - 1].time.blocks));
        fmt::print("{:>8} {:>10.3f} {:>20} {:>22} {:>9.2f}\n", g.tokens[n], t.median, spread(t), ratio, t.fraction);
    }
    fmt::print("\nms as a power of tokens: {:.2f}, R² {:.4f}\n\n", power.slope, power.r_squared);
}

void print_memory(const Growth& g)
{
    fmt::print("Prefill, memory: tiles do not grow with tokens x tokens\n\n{:>8} {:>16} {:>12} {:>26}\n", "tokens",
               "tiles (counted)", "output", "all scores (calculated)");
    for (const TileMemory& m : g.memory)
        fmt::print("{:>8} {:>16} {:>12} {:>26}\n", m.tokens, bytes_text(m.tiles), bytes_text(m.output),
                   bytes_text(m.scores));
}

} // namespace

void print_growth(const Growth& g, const BenchCase& s)
{
    fmt::print(
        "Batch {}, {} query heads on {} KV heads of {}; {} keys where they do not vary; keys and values of {}\n\n", s.B,
        s.H, s.Hkv, s.D, s.S, name(g.with_keys.front().type));
    print_with_keys(g);
    print_with_heads(g);
    print_prefill(g);
    print_memory(g);
}

void print_sharing(const std::vector<Sharing>& rows, const BenchCase& s)
{
    fmt::print("One decode step with {} query heads of {}, {} keys, batch {}: fewer KV heads, fewer bytes\n\n"
               "{:<9} {:<6} {:>10} {:>20} {:>12} {:>12} {:>12} {:>11} {:>9}\n",
               s.H, s.D, s.S, s.B, "", "type", "ms, median", "least … most", "K and V", "bytes, x", "time, x",
               "of ideal", "of limit");
    for (const Sharing& r : rows)
        fmt::print("{:<9} {:<6} {:>10.3f} {:>20} {:>12} {:>12.2f} {:>12.2f} {:>11.2f} {:>9.2f}\n",
                   r.row.case_name.substr(r.row.case_name.find('/') + 1), name(r.row.type), r.row.time.median,
                   spread(r.row.time), bytes_text(r.row.bytes), r.ideal, r.achieved, r.achieved / r.ideal,
                   r.row.time.fraction);
    fmt::print(
        "\nbytes, time: how many times less than MHA of the same type, in the same rounds; of ideal: the one over\n"
        "the other, 1 where time falls as the bytes do\n");
}

void print_tiny(const std::vector<TinyRow>& rows)
{
    fmt::print("Whole calls on tiny shapes, with checks and memory, in µs\n\n"
               "{:<24} {:>10} {:>10} {:>22} {:>24}\n",
               "B x H x Hkv x D x L x S", "reference", "parallel", "reference / parallel", "one thread / all threads");
    for (const TinyRow& r : rows)
        fmt::print("{:<24} {:>10.1f} {:>10.1f} {:>22.2f} {:>24.2f}{}\n",
                   r.shape.name.substr(r.shape.name.find('/') + 1), 1000 * r.rows[0].time.median,
                   1000 * r.rows[1].time.median, r.faster, r.faster_than_one_thread,
                   r.faster < 0.95 ? "  the reference wins" : "");
}

} // namespace headroom
