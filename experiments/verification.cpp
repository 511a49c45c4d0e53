#include "experiments/verification.h"

#include "cuda/attention.h"
#include "experiments/implementations.h"
#include "reference/contract/problem_file.h"
#include "reference/tensor/safetensors.h"
#include "reference/verification/cases.h"
#include <algorithm>
#include <atomic>
#include <fnmatch.h>
#include <future>
#include <iterator>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace headroom {
namespace {

struct Chosen {
    std::vector<Implementation> everywhere; // on every case
    std::vector<Implementation> thorough;   // on the quick cases instead: simt under every schedule
    std::vector<CheckResult> absent;        // kernels whose executor is missing here
};

bool wanted(const VerificationSettings& settings, const std::string& name)
{
    return name != "reference" && fnmatch(settings.implementations.c_str(), name.c_str(), 0) == 0;
}

void choose(const VerificationSettings& settings, std::vector<Implementation> from, std::vector<Implementation>& to)
{
    for (Implementation& each : from)
        if (wanted(settings, each.name)) to.push_back(std::move(each));
}

std::vector<Implementation> without_kernels()
{
    std::vector<Implementation> list = implementations();
    std::erase_if(list, [](const Implementation& each) { return each.executor != "cpu"; });
    return list;
}

Chosen choose(const VerificationSettings& settings)
{
    Chosen chosen;
    if (!settings.plugin.empty()) {
        chosen.everywhere.push_back(cuda::plugin(settings.plugin, settings.plugin_seconds));
        return chosen;
    }
    if (settings.executor == "auto") choose(settings, without_kernels(), chosen.everywhere);
    for (const std::string executor : {"device", "ptx", "simt"}) {
        if (settings.executor != "auto" && settings.executor != executor) continue;
        const std::string reason = cuda::why_executor_is_absent(executor);
        if (reason.empty()) {
            choose(settings, cuda::ladder(executor), chosen.everywhere);
            if (executor == "simt") choose(settings, cuda::ladder_under_every_schedule(), chosen.thorough);
            continue;
        }
        for (const cuda::StepInfo& step : cuda::steps())
            if (wanted(settings, step.name)) {
                CheckResult skipped;
                skipped.implementation = step.name, skipped.executor = executor;
                skipped.case_name = "all", skipped.reason = reason;
                chosen.absent.push_back(std::move(skipped));
            }
    }
    if (chosen.everywhere.empty() && chosen.absent.empty())
        throw std::invalid_argument("--impl '" + settings.implementations +
                                    "' matches no implementation; the reference is what the others are compared with");
    return chosen;
}

OwnedProblem read(const VerificationSettings& settings)
{
    OwnedProblem owned = read_problem(settings.problem);
    owned.options = settings.options;
    return owned;
}

AttentionStages read_outputs(const std::filesystem::path& path)
{
    const NamedTensors file = read_safetensors(path);
    AttentionStages answer;
    for (const Stage& stage : stages())
        if (const auto found = file.tensors.find(std::string(stage.name)); found != file.tensors.end())
            answer.*stage.tensor = load(found->second);
    if (answer.output.empty()) throw std::invalid_argument(path.string() + " holds no tensor 'output'");
    std::string known;
    for (const Stage& stage : stages()) known += (known.empty() ? "" : ", ") + std::string(stage.name);
    for (const auto& [name, tensor] : file.tensors)
        if (std::ranges::find(stages(), name, &Stage::name) == stages().end())
            throw std::invalid_argument(path.string() + " holds '" + name + "', which is no stage; there are " + known);
    return answer;
}

CheckResult judge_outputs(const VerificationSettings& settings)
{
    if (settings.problem.empty())
        throw std::invalid_argument("--outputs needs --problem: the problem that they answer");
    const OwnedProblem owned = read(settings);
    const AttentionProblem problem = owned.problem();
    CheckResult result = judge(read_outputs(settings.outputs), Expected(problem), problem.kv.k.type);
    result.implementation = settings.outputs.filename().string();
    result.executor = "file";
    result.case_name = settings.problem.filename().string();
    return result;
}

// Where a GPU or somebody's own kernel is used, or answers are kept in order, one thread of this computer is enough.
std::size_t workers(const VerificationSettings& settings, const Chosen& chosen)
{
    const auto alone = [](const Implementation& each) {
        return each.executor == "device" || each.executor == "plugin";
    };
    if (settings.keep || std::ranges::any_of(chosen.everywhere, alone)) return 1;
    return std::max(1u, std::thread::hardware_concurrency());
}

void check_all(const VerificationSettings& settings, const Chosen& chosen, const std::string& name,
               const AttentionProblem& problem, bool thorough, std::vector<CheckResult>& results)
{
    const Expected expected(problem);
    const auto check_one = [&](const Implementation& each) {
        AttentionStages got;
        results.push_back(check(each, name, problem, expected, &got));
        if (settings.keep) settings.keep(results.back(), problem, got, expected);
    };
    for (const Implementation& each : chosen.everywhere)
        if (!thorough || each.executor != "simt") check_one(each);
    if (thorough)
        for (const Implementation& each : chosen.thorough) check_one(each);
}

} // namespace

std::vector<CheckResult> verify(const VerificationSettings& settings)
{
    if (!settings.outputs.empty()) return {judge_outputs(settings)};
    const Chosen chosen = choose(settings);
    std::vector<CheckResult> results = chosen.absent;
    if (!settings.problem.empty()) {
        const OwnedProblem owned = read(settings);
        check_all(settings, chosen, settings.problem.filename().string(), owned.problem(), true, results);
        return results;
    }

    // Each worker has executors of its own and takes the next case that nobody has taken.
    std::vector<const Case*> list;
    for (const Case& each : cases())
        if ((each.quick || !settings.quick) && each.name.starts_with(settings.case_prefix)) list.push_back(&each);
    if (list.empty())
        throw std::invalid_argument("no " + std::string(settings.quick ? "quick " : "") + "case begins with '" +
                                    settings.case_prefix + "'; the first are '" + cases()[0].name + "' and '" +
                                    cases()[1].name + "', and --json names all");
    std::vector<std::vector<CheckResult>> of_case(list.size());
    std::atomic<std::size_t> next = 0;
    std::mutex telling;
    const auto work = [&](const Chosen& mine) {
        for (std::size_t n = next++; n < list.size(); n = next++) {
            if (settings.progress) {
                const std::lock_guard lock(telling);
                settings.progress(n, list.size(), list[n]->name);
            }
            const PosedProblem posed(list[n]->recipe);
            check_all(settings, mine, list[n]->name, posed.problem(), list[n]->quick && !settings.quick, of_case[n]);
        }
    };
    std::vector<std::future<void>> others;
    for (std::size_t n = 1; n < workers(settings, chosen); ++n)
        others.push_back(std::async(std::launch::async, [&] { work(choose(settings)); }));
    work(chosen);
    for (std::future<void>& other : others) other.get();
    for (std::vector<CheckResult>& some : of_case) std::ranges::move(some, std::back_inserter(results));
    return results;
}

} // namespace headroom
