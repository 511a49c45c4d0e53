// The rows of a benchmark, as a table and as JSON.
#include "cli/bench_output.h"

#include "cli/text.h"
#include "experiments/bench/instructions.h"
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace headroom {
namespace {

nlohmann::ordered_json or_null(const std::optional<double>& number)
{
    return number ? nlohmann::ordered_json(*number) : nullptr;
}

double per_token(const BenchRow& r, double number) { return number / static_cast<double>(r.tokens); }

std::optional<double> instructions_per_token(const BenchRow& r)
{
    if (!r.time.instructions) return {};
    return per_token(r, *r.time.instructions);
}

} // namespace

void print_bench_json(const std::vector<BenchRow>& rows, const Machine& m)
{
    auto list = nlohmann::ordered_json::array();
    for (const BenchRow& r : rows)
        list.push_back({{"case", r.case_name},
                        {"impl", r.impl},
                        {"dtype", name(r.type)},
                        {"ms_median", r.time.median},
                        {"ms_min", r.time.least},
                        {"ms_max", r.time.most},
                        {"bytes", r.bytes},
                        {"flops", r.flops},
                        {"limit_ms", r.time.limit},
                        {"fraction_of_limit", r.time.fraction},
                        {"peak_rss_bytes", r.peak_rss_bytes},
                        {"tokens", r.tokens},
                        {"bytes_per_token", per_token(r, static_cast<double>(r.bytes))},
                        {"instructions_per_token", or_null(instructions_per_token(r))}});
    const std::string why_not = InstructionCounter().why_not();
    const nlohmann::ordered_json document{
        {"schema", "headroom.bench/1"},
        {"rows", std::move(list)},
        {"machine",
         {{"cpu", m.cpu},
          {"cores", m.cores},
          {"threads", m.threads},
          {"instruction_set", m.instruction_set},
          {"last_level_cache_bytes", m.last_level_cache_bytes},
          {"why_no_instructions", why_not.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(why_not)}}}};
    fmt::print("{}\n", document.dump(2));
}

void print_bench_table(const std::vector<BenchRow>& rows, const Machine& m)
{
    const bool counted = std::ranges::any_of(rows, [](const BenchRow& r) { return r.time.instructions.has_value(); });
    fmt::print("{}, {} threads, {}\n\n", m.cpu, m.threads, m.instruction_set);
    fmt::print("{:<16} {:<7} {:>10} {:>20} {:>9} {:>9} {:>11} {}{:>10} {:>9}\n", "case", "type", "ms, median",
               "least … most", "GB/s", "GFLOP/s", "bytes/token", counted ? "instr./token " : "", "limit, ms",
               "of limit");
    for (const BenchRow& r : rows)
        fmt::print("{:<16} {:<7} {:>10.3f} {:>20} {:>9.2f} {:>9.1f} {:>11} {}{:>10.3f} {:>9.2f}\n", r.case_name,
                   name(r.type), r.time.median, fmt::format("{:.3f} … {:.3f}", r.time.least, r.time.most),
                   static_cast<double>(r.bytes) / r.time.median * 1e-6,
                   static_cast<double>(r.flops) / r.time.median * 1e-6, bytes_text(r.bytes / r.tokens),
                   counted ? fmt::format("{:>12.0f} ", instructions_per_token(r).value_or(0)) : "", r.time.limit,
                   r.time.fraction);
    fmt::print(
        "\nof limit: the median over the rounds of limit / case, each pair measured one after the other. The limit of\n"
        "a decode (D) is to read its keys and values once, with the same threads; of a prefill (P), to do its\n"
        "multiplications and additions with all operands in registers.\n");
    if (!counted) fmt::print("Instructions per token: {}.\n", InstructionCounter().why_not());
}

} // namespace headroom
