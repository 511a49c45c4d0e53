// headroom bench: how near attention comes to what the machine can do.
#include "cli/command.h"

#include "cli/bench_output.h"
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <unistd.h>

namespace headroom {
namespace {

struct Settings {
    std::vector<std::string> cases = {"D", "P"};
    std::string type, svg;
    bool json = false, small = false;
    BenchSettings run;
};

struct Chosen {
    std::vector<BenchCase> cases;
    bool article = false, long_run = false;
};
Chosen chosen(const std::vector<std::string>& prefixes)
{
    const auto wanted = [&](const std::string& name) {
        return std::ranges::any_of(prefixes, [&](const std::string& prefix) { return name.starts_with(prefix); });
    };
    Chosen chosen{.cases = {}, .article = wanted("article"), .long_run = wanted("long")};
    std::vector<std::string> names{"article", "long"};
    for (const BenchCase& each : bench_cases()) {
        names.push_back(each.name);
        if (wanted(each.name)) chosen.cases.push_back(each);
    }
    for (const std::string& prefix : prefixes)
        if (std::ranges::none_of(names, [&](const std::string& name) { return name.starts_with(prefix); }))
            throw std::invalid_argument(
                fmt::format("no case begins with '{}'; there are {}", prefix, fmt::join(names, ", ")));
    return chosen;
}

void print_json(const std::vector<BenchRow>& rows, const Machine& m)
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
                        {"peak_rss_bytes", r.peak_rss_bytes}});
    const nlohmann::ordered_json document{{"schema", "headroom.bench/1"},
                                          {"rows", std::move(list)},
                                          {"machine",
                                           {{"cpu", m.cpu},
                                            {"cores", m.cores},
                                            {"threads", m.threads},
                                            {"instruction_set", m.instruction_set},
                                            {"last_level_cache_bytes", m.last_level_cache_bytes}}}};
    fmt::print("{}\n", document.dump(2));
}

void print_table(const std::vector<BenchRow>& rows, const Machine& m)
{
    fmt::print("{}, {} threads, {}\n\n", m.cpu, m.threads, m.instruction_set);
    fmt::print("{:<16} {:<7} {:>10} {:>20} {:>9} {:>9} {:>10} {:>9}\n", "case", "type", "ms, median", "least … most",
               "GB/s", "GFLOP/s", "limit, ms", "of limit");
    for (const BenchRow& r : rows)
        fmt::print("{:<16} {:<7} {:>10.3f} {:>20} {:>9.2f} {:>9.1f} {:>10.3f} {:>9.2f}{}\n", r.case_name, name(r.type),
                   r.time.median, fmt::format("{:.3f} … {:.3f}", r.time.least, r.time.most),
                   static_cast<double>(r.bytes) / r.time.median * 1e-6,
                   static_cast<double>(r.flops) / r.time.median * 1e-6, r.time.limit, r.time.fraction,
                   r.impossible() ? "  faster than the machine: not a measurement" : "");
    fmt::print(
        "\nof limit: the median over the rounds of limit / case, each pair measured one after the other. The limit of\n"
        "a decode (D) is to read its keys and values once, with the same threads; of a prefill (P), to do its\n"
        "multiplications and additions with all operands in registers.\n");
}

int run_bench(Settings& s)
{
    if (!s.type.empty()) s.run.type = dtype_from_name(s.type);
    const Chosen what = chosen(s.cases);
    if (!s.svg.empty() && !what.long_run) throw std::invalid_argument("--svg is a plot of --case long");
    if (std::filesystem::is_directory(s.svg)) throw std::invalid_argument("--svg " + s.svg + " is a folder");
    if (const auto folder = std::filesystem::path(s.svg).parent_path(); !folder.empty() && !exists(folder))
        throw std::invalid_argument("--svg " + s.svg + ": there is no folder " + folder.string());
    const bool terminal = isatty(STDERR_FILENO);
    if (terminal) s.run.progress = [](const std::string& now) { fmt::print(stderr, "\r\033[K{}", now); };

    std::vector<BenchRow> rows;
    for (const BenchCase& each : what.cases)
        for (BenchRow& row : bench(each, s.run)) rows.push_back(std::move(row));
    ArticleSettings article_settings{.shape = {}, .threads = s.run.threads, .progress = s.run.progress};
    LongSettings long_settings{.threads = s.run.threads, .progress = s.run.progress};
    if (s.small) {
        article_settings.shape = {.width = 256, .q_heads = 16, .kv_heads = 16, .sequences = 2, .tokens = 64};
        article_settings.alternation = {.rounds = 1, .block_ms = 1};
        long_settings.shape = {.width = 256, .sequences = 1};
        long_settings.lengths = {64, 128, 256};
    }
    std::vector<ArticleRow> article_rows;
    if (what.article) article_rows = article(article_settings);
    std::vector<LongPoint> points;
    if (what.long_run) points = long_run(long_settings);
    if (terminal) fmt::print(stderr, "\r\033[K");

    // Tables for what was chosen; as JSON all rows are in one list.
    const Machine m = machine(s.run.threads);
    if (!s.json && !rows.empty()) print_table(rows, m);
    if (!s.json && what.article) print_article(article_rows, article_settings.shape);
    if (!s.json && what.long_run) print_long(points, long_settings.lengths);
    if (!s.svg.empty()) plot_long(points, long_settings.lengths, s.svg);
    for (const ArticleRow& row : article_rows) rows.push_back(row.row);
    for (const LongPoint& point : points) rows.push_back(point.row);
    if (s.json) print_json(rows, m);
    return std::ranges::any_of(rows, &BenchRow::impossible) ? 1 : 0;
}

} // namespace

Action declare_bench(CLI::App& app)
{
    auto s = std::make_shared<Settings>();
    app.add_option(
           "--case", s->cases,
           "which: names, or how names begin: D1 D2-4096 D2-32768 (decode; also -mha, -mqa), P1 P2 (prefill), article "
           "(the article's table), long (256 to 32768 tokens: minutes)")
        ->capture_default_str();
    app.add_option("--impl", s->run.implementation, "what computes the attention")->capture_default_str();
    app.add_option("--kv-dtype", s->type, "type of keys and values; default: those of each case");
    app.add_option("--threads", s->run.threads, "0: one for each core")->check(CLI::Range(0, 1024));
    app.add_option("--rounds", s->run.alternation.rounds, "blocks of the limit and of the case, in turns")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_option("--block-ms", s->run.alternation.block_ms, "how long a block lasts; at least three launches")
        ->check(CLI::Range(0.0, 60'000.0))
        ->capture_default_str();
    app.add_option("--svg", s->svg, "long: write a plot");
    app.add_flag("--small", s->small, "article, long: small shapes, to try them out");
    app.add_flag("--json", s->json, "the rows as JSON");
    return [s] { return run_bench(*s); };
}

} // namespace headroom
