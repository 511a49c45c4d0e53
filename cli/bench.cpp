// headroom bench: how near attention comes to what the machine can do.
#include "cli/command.h"

#include "cli/bench_output.h"
#include "cli/needs.h"
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
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

// The stories that are more than rows of bench_cases().
struct Chosen {
    std::vector<BenchCase> cases;
    bool article = false, long_run = false, growth = false, sharing = false, tiny = false;

    bool any_chooses_attention() const { return !cases.empty() || growth || sharing; }
    // article and long have rounds of their own
    bool any_takes_turns() const { return any_chooses_attention() || tiny; }
    bool any_has_small_shapes() const { return article || long_run || growth || sharing; }
};
Chosen chosen(const std::vector<std::string>& prefixes)
{
    const auto wanted = [&](const std::string& name) {
        return std::ranges::any_of(prefixes, [&](const std::string& prefix) { return name.starts_with(prefix); });
    };
    Chosen chosen{.cases = {},
                  .article = wanted("article"),
                  .long_run = wanted("long"),
                  .growth = wanted("growth"),
                  .sharing = wanted("sharing"),
                  .tiny = wanted("tiny")};
    std::vector<std::string> names{"article", "long", "growth", "sharing", "tiny"};
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

// Shapes to try a story out: seconds, and no measurement that means much.
struct Shapes {
    ArticleSettings article;
    LongSettings long_run;
    GrowthSettings growth;
    BenchCase sharing = {
        .name = "sharing", .B = 1, .H = 32, .Hkv = 32, .D = 128, .L = 1, .S = 4096, .types = {DType::f32, DType::bf16}};
    std::vector<Index> kv_heads = {32, 8, 4, 1};
    explicit Shapes(const Settings& s)
    {
        article.threads = long_run.threads = s.run.threads;
        article.progress = long_run.progress = s.run.progress;
        growth.bench = s.run;
        if (!s.small) return;
        article.in_cache = long_run.in_cache = true;
        article.shape = {.width = 256, .q_heads = 16, .kv_heads = 16, .sequences = 2, .tokens = 64};
        article.alternation = article.steps = {.rounds = 1, .block_ms = 1};
        long_run.shape = {.width = 256, .sequences = 1};
        long_run.lengths = {64, 128, 256};
        long_run.alternation = {.rounds = 1, .block_ms = 1};
        growth.shape = {
            .name = "growth", .B = 1, .H = 8, .Hkv = 2, .D = 64, .L = 1, .S = 256, .types = {}, .in_cache = true};
        growth.keys = {64, 128, 256}, growth.heads = {2, 4, 8}, growth.tokens = {32, 64, 128};
        growth.memory_tokens = {64, 128, 256};
        sharing.H = 8, sharing.S = 256, sharing.in_cache = true;
        kv_heads = {8, 4, 1};
    }
};

// Refuses now what could not be written when all has been measured.
void check_writable(const std::filesystem::path& svg)
{
    const std::string name = "--svg " + svg.string();
    if (is_directory(svg)) throw std::invalid_argument(name + " is a folder");
    if (const auto folder = svg.parent_path(); !folder.empty() && !exists(folder))
        throw std::invalid_argument(name + ": there is no folder " + folder.string());
    std::error_code unknown;
    const bool is_new = !exists(svg, unknown);
    if (!std::ofstream(svg, std::ios::app)) throw std::invalid_argument(name + " cannot be written");
    if (is_new) std::filesystem::remove(svg, unknown);
}

// Tables for what was chosen, as soon as it is measured; as JSON all rows are in one list at the end.
int run_bench(Settings& s, const CLI::App& app)
{
    if (!s.type.empty()) s.run.type = dtype_from_name(s.type);
    const Chosen what = chosen(s.cases);
    need(app, {"--svg"}, what.long_run, "--case long");
    need(app, {"--impl", "--kv-dtype"}, what.any_chooses_attention(), "another --case than article, long and tiny");
    need(app, {"--rounds", "--block-ms"}, what.any_takes_turns(), "another --case than article and long");
    need(app, {"--small"}, what.any_has_small_shapes(), "--case article, long, growth or sharing");
    if (!s.svg.empty()) check_writable(s.svg);
    const bool terminal = isatty(STDERR_FILENO);
    if (terminal) s.run.progress = [](const std::string& now) { fmt::print(stderr, "\r\033[K{}", now); };
    const Shapes shapes(s);
    const Machine m = machine(s.run.threads);
    std::vector<BenchRow> rows;
    const auto keep = [&](auto& list) { rows.insert(rows.end(), list.begin(), list.end()); };
    const auto keep_rows_of = [&](const auto& list) {
        for (const auto& each : list) rows.push_back(each.row);
    };
    const auto measured = [&] { // whether to print a table now
        if (terminal) fmt::print(stderr, "\r\033[K");
        return !s.json;
    };

    for (const BenchCase& each : what.cases)
        for (BenchRow& row : bench(each, s.run)) rows.push_back(std::move(row));
    if (!rows.empty() && measured()) print_bench_table(rows, m);
    if (what.article) {
        const auto list = article(shapes.article);
        if (measured()) print_article(list, shapes.article.shape);
        keep_rows_of(list);
    }
    if (what.long_run) {
        const auto list = long_run(shapes.long_run);
        if (measured()) print_long(list, shapes.long_run);
        if (!s.svg.empty()) plot_long(list, shapes.long_run.lengths, s.svg);
        keep_rows_of(list);
    }
    if (what.growth) {
        const Growth g = growth(shapes.growth);
        if (measured()) print_growth(g, shapes.growth.shape);
        keep(g.with_keys), keep(g.with_heads), keep(g.prefill);
    }
    if (what.sharing) {
        const auto list = sharing(shapes.sharing, shapes.kv_heads, s.run);
        if (measured()) print_sharing(list, shapes.sharing);
        keep_rows_of(list);
    }
    if (what.tiny) {
        const auto list = tiny(s.run);
        if (measured()) print_tiny(list);
        for (const TinyRow& each : list) keep(each.rows);
    }
    if (s.json) print_bench_json(rows, m);

    int code = 0;
    for (const BenchRow& row : rows)
        if (row.impossible()) {
            fmt::print(
                stderr,
                "headroom bench: {} {} comes out at {:.2f} of the machine's limit: no measurement. Run it again.\n",
                row.case_name, name(row.type), row.time.fraction);
            code = 1;
        }
    return code;
}

} // namespace

Action declare_bench(CLI::App& app)
{
    auto s = std::make_shared<Settings>();
    app.add_option(
           "--case", s->cases,
           "which: names, or how names begin: D1 D2-4096 D2-32768 (decode; also -mha, -mqa), P1 P2 (prefill), article "
           "(the article's table), long (256 to 32768 tokens: minutes), growth (how cost grows), sharing (MHA to MQA), "
           "tiny "
           "(the smallest shapes), trial")
        ->capture_default_str();
    app.add_option("--impl", s->run.implementation, "what computes the attention")->capture_default_str();
    app.add_option("--kv-dtype", s->type, "type of keys and values; default: those of each case");
    app.add_option("--threads", s->run.threads, "default: one for each core")->check(CLI::Range(1, 1024));
    app.add_option("--rounds", s->run.alternation.rounds, "blocks of the limit and of the case, in turns")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_option("--block-ms", s->run.alternation.block_ms, "how long a block lasts; at least three launches")
        ->check(CLI::Range(0.0, 60'000.0))
        ->capture_default_str();
    app.add_option("--svg", s->svg, "long: write a plot");
    app.add_flag("--small", s->small, "article, long, growth, sharing: small shapes, to try them out");
    app.add_flag("--json", s->json, "the rows as JSON");
    return [s, &app] { return run_bench(*s, app); };
}

} // namespace headroom
