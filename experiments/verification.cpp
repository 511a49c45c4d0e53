#include "experiments/verification.h"

#include "experiments/implementations.h"
#include "reference/contract/problem_file.h"
#include "reference/tensor/safetensors.h"
#include "reference/verification/cases.h"
#include <fnmatch.h>
#include <stdexcept>

namespace headroom {
namespace {

std::vector<Implementation> chosen(const VerificationSettings& settings)
{
    std::vector<Implementation> list;
    for (Implementation& each : implementations())
        if (each.name != "reference" && fnmatch(settings.implementations.c_str(), each.name.c_str(), 0) == 0)
            list.push_back(std::move(each));
    if (list.empty())
        throw std::invalid_argument("--impl '" + settings.implementations +
                                    "' matches no implementation; the reference is what the others are compared with");
    return list;
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

} // namespace

std::vector<CheckResult> verify(const VerificationSettings& settings)
{
    if (!settings.outputs.empty()) return {judge_outputs(settings)};
    const std::vector<Implementation> list = chosen(settings);
    std::vector<CheckResult> results;
    const auto check_all = [&](const std::string& name, const AttentionProblem& problem) {
        const Expected expected(problem);
        for (const Implementation& each : list) results.push_back(check(each, name, problem, expected));
    };
    if (!settings.problem.empty()) {
        const OwnedProblem owned = read(settings);
        check_all(settings.problem.filename().string(), owned.problem());
        return results;
    }
    std::size_t done = 0;
    for (const Case& each : cases()) {
        if (settings.progress) settings.progress(done, cases().size(), each.name);
        ++done;
        if (settings.quick && !each.quick) continue;
        const PosedProblem posed(each.recipe);
        check_all(each.name, posed.problem());
    }
    return results;
}

} // namespace headroom
