// headroom verify: every kernel and every fast path against the reference.
#include "cli/attention_options.h"
#include "cli/command.h"

#include "experiments/verification.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace headroom {
namespace {

using Status = CheckResult::Status;

struct Settings {
    VerificationSettings run;
    AttentionChoice attention;
    bool json = false;
};

// The comparison that a line about this result shows: the first that diverged, else the output's.
const Comparison* shown(const CheckResult& result)
{
    if (const Comparison* diverging = result.first_diverging()) return diverging;
    const auto output = std::ranges::find(result.stages, "output", &Comparison::stage);
    return output == result.stages.end() ? nullptr : &*output;
}

std::size_t count(const std::vector<CheckResult>& results, Status status)
{
    return static_cast<std::size_t>(std::ranges::count(results, status, &CheckResult::status));
}

void print_json(const std::vector<CheckResult>& results)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const CheckResult& r : results) {
        nlohmann::ordered_json entry{
            {"impl", r.implementation},         {"executor", r.executor}, {"case", r.case_name},
            {"status", name(r.status)},         {"worst_error", nullptr}, {"bound", nullptr},
            {"first_diverging_stage", nullptr}, {"reason", r.reason}};
        if (const Comparison* c = shown(r)) {
            if (std::isfinite(c->worst_error)) entry["worst_error"] = c->worst_error; // null: NaN or a stray infinity
            entry["bound"] = c->bound.largest;
            if (!c->passed()) {
                entry["first_diverging_stage"] = c->stage;
                entry["worst_at"] = c->worst_at;
            }
        }
        list.push_back(std::move(entry));
    }
    const nlohmann::ordered_json document{{"schema", "headroom.verify/1"},
                                          {"results", std::move(list)},
                                          {"passed", count(results, Status::passed)},
                                          {"failed", count(results, Status::failed)},
                                          {"skipped", count(results, Status::skipped)}};
    fmt::print("{}\n", document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

struct Row {
    std::string implementation, executor;
    std::size_t passed = 0, failed = 0, skipped = 0;
    const Comparison* nearest = nullptr; // none where nothing was compared
};

// One row per implementation and executor; one for all of an executor that is missing here.
std::vector<Row> rows_of(const std::vector<CheckResult>& results)
{
    const auto nearness = [](const Comparison* c) { return c ? c->worst_error / c->bound.largest : 0; };
    std::vector<Row> rows;
    for (const CheckResult& r : results) {
        const std::string who = r.case_name == "all" ? "every step" : r.implementation;
        auto row = std::ranges::find_if(
            rows, [&](const Row& each) { return each.implementation == who && each.executor == r.executor; });
        if (row == rows.end()) row = rows.insert(rows.end(), {who, r.executor});
        ++(r.status == Status::passed ? row->passed : r.status == Status::failed ? row->failed : row->skipped);
        if (const Comparison* c = shown(r); c && nearness(c) >= nearness(row->nearest)) row->nearest = c;
    }
    return rows;
}

// "it does not read f8e4m3 keys": the refusals, most frequent first, without the names of those who refused.
void print_reasons(const std::vector<CheckResult>& results)
{
    std::map<std::string, std::size_t> count_of;
    for (const CheckResult& r : results) {
        if (r.status != Status::skipped) continue;
        if (r.case_name == "all") { // an executor that is missing here
            ++count_of[r.executor + ": " + r.reason];
            continue;
        }
        const std::size_t at = r.reason.find(": "); // "decode/05_tensor_direct cannot compute this: "
        ++count_of[at == std::string::npos ? r.reason : r.reason.substr(at + 2)];
    }
    std::vector<std::pair<std::string, std::size_t>> reasons(count_of.begin(), count_of.end());
    std::ranges::stable_sort(reasons, std::greater<>(), &std::pair<std::string, std::size_t>::second);
    if (!reasons.empty()) fmt::print("\nskipped because\n");
    for (const auto& [reason, times] : reasons) fmt::print("{:>7}  {}\n", times, reason);
}

void print_table(const std::vector<CheckResult>& results)
{
    fmt::print("{:<26} {:<7} {:>7} {:>7} {:>8}   {}\n", "implementation", "on", "passed", "failed", "skipped",
               "nearest to its bound");
    for (const Row& row : rows_of(results))
        fmt::print("{:<26} {:<7} {:>7} {:>7} {:>8}   {}\n", row.implementation, row.executor, row.passed, row.failed,
                   row.skipped,
                   row.nearest ? fmt::format("{}: error {:.1e} of {:.1e} allowed", row.nearest->stage,
                                             row.nearest->worst_error, row.nearest->bound.largest)
                               : "-");
    print_reasons(results);
    for (const CheckResult& r : results)
        if (r.status == Status::failed)
            fmt::print("\nFAILED  {} on {}: {}\n        {}\n", r.implementation, r.executor, r.case_name, r.reason);
    fmt::print("\n{} passed, {} failed, {} skipped\n", count(results, Status::passed), count(results, Status::failed),
               count(results, Status::skipped));
}

int verify_and_print(Settings& s)
{
    s.run.options = s.attention.options();
    const bool terminal = isatty(STDERR_FILENO);
    if (terminal)
        s.run.progress = [](std::size_t done, std::size_t all, const std::string& what) {
            fmt::print(stderr, "\r\033[K{}/{} {}", done, all, what);
        };
    const std::vector<CheckResult> results = verify(s.run);
    if (terminal) fmt::print(stderr, "\r\033[K");
    s.json ? print_json(results) : print_table(results);
    return count(results, Status::failed) == 0 && count(results, Status::passed) > 0 ? 0 : 1;
}

} // namespace

Action declare_verify(CLI::App& app)
{
    auto s = std::make_shared<Settings>();
    CLI::Option* impl = app.add_option("--impl", s->run.implementations, "which, as a pattern: 'decode/*', online")
                            ->capture_default_str();
    CLI::Option* executor = app.add_option("--executor", s->run.executor, "where kernels run; auto is everywhere")
                                ->check(CLI::IsMember({"auto", "device", "simt", "ptx"}))
                                ->capture_default_str();
    CLI::Option* quick = app.add_flag("--quick", s->run.quick, "a short list of cases");
    CLI::Option* only = app.add_option("--case", s->run.case_prefix, "only cases whose names begin so");
    CLI::Option* problem =
        app.add_option("--problem", s->run.problem, "your tensors instead of the cases: safetensors as for attend")
            ->excludes(quick, only);
    for (CLI::Option* option : s->attention.declare(app)) option->needs(problem);
    CLI::Option* outputs = app.add_option("--outputs", s->run.outputs,
                                          "judge these tensors (output, lse, weights ... as safetensors), computed "
                                          "elsewhere for --problem")
                               ->needs(problem);
    CLI::Option* plugin =
        app.add_option("--plugin", s->run.plugin, "your own kernel: a shared object as cuda/plugin.h describes");
    for (CLI::Option* judged : {outputs, plugin}) judged->excludes(impl, executor);
    outputs->excludes(plugin);
    app.add_option("--plugin-seconds", s->run.plugin_seconds, "a case that takes it longer has failed; 0: no limit")
        ->capture_default_str()
        ->check(CLI::Range(0, 1000000))
        ->needs(plugin);
    app.add_flag("--json", s->json, "the results as JSON");
    return [s] { return verify_and_print(*s); };
}

} // namespace headroom
