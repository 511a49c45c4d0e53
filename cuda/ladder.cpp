#include "cuda/attention.h"
#include "cuda/executor/simt/poison.h"
#include "cuda/executor/simt/simt_executor.h"
#include "cuda/step.h"
#include <algorithm>
#include <array>
#include <cstring>

namespace headroom::cuda {
namespace {

struct Rung {
    std::string_view name;
    const KernelStep* step;
};
std::span<const Rung> rungs()
{
    static constexpr std::array list{
#define STEP(folder, file) Rung{#folder "/" #file, &folder##_##file},
#include "cuda/ladder.inc"
#undef STEP
    };
    return list;
}

ExecutorKind kind_of(std::string_view executor)
{
    for (const ExecutorKind kind : {ExecutorKind::simt, ExecutorKind::ptx, ExecutorKind::device})
        if (name(kind) == executor) return kind;
    throw std::invalid_argument("no executor is called '" + std::string(executor) + "'; there are simt, ptx, device");
}

// Steps that only a Hopper GPU and the host executor run: the PTX interpreter knows neither tensor maps nor wgmma.
bool needs_hopper(std::string_view step) { return step == "decode/10_tma_ring" || step == "prefill/05_flash_wgmma"; }

bool same_bits(const AttentionStages& a, const AttentionStages& b)
{
    return std::ranges::all_of(stages(), [&](const Stage& stage) {
        const auto x = (a.*stage.tensor).values(), y = (b.*stage.tensor).values();
        return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size_bytes()) == 0);
    });
}

// One step on one problem, run in each of the executor's orders of threads.
class EverySchedule : public PreparedAttention {
public:
    EverySchedule(const KernelStep& step, const AttentionProblem& problem) : step_(step), problem_(problem)
    {
        result_ = run({}); // refuses what the step cannot do
    }
    void launch() override
    {
        using enum simt::Schedule;
        for (const simt::Schedule schedule : {forward, reverse, ahead, behind, random})
            for (const simt::Copies copies : {simt::Copies::lazy, simt::Copies::eager}) {
                const AttentionStages other = run({.schedule = schedule, .seed = 1, .copies = copies});
                if (!same_bits(result_, other))
                    throw std::runtime_error("another order of threads gives another result: a race");
            }
        if (!same_bits(result_, run({}, 2)))
            throw std::runtime_error("a second launch gives another result: the first left something behind");
    }
    AttentionStages stages() override { return result_; }

private:
    AttentionStages run(const simt::Options& options, int launches = 1) const
    {
        SimtExecutor executor(options);
        const auto prepared = step_.prepare(executor, problem_);
        for (; launches; --launches) {
            for (const std::string_view answer : {"output", "lse"}) simt::poison(executor.memory(), answer);
            prepared->launch();
        }
        return prepared->stages();
    }
    const KernelStep& step_;
    AttentionProblem problem_;
    AttentionStages result_;
};

} // namespace

std::vector<Implementation> ladder(std::string_view executor_name)
{
    const std::shared_ptr<Executor> executor = make_executor(kind_of(executor_name));
    std::vector<Implementation> list;
    for (const auto& [name, step] : rungs()) {
        const bool known = executor_name != "ptx" || !needs_hopper(name);
        list.push_back({std::string(name), std::string(executor_name), step->claims,
                        [executor, known, step = step](const AttentionProblem& p) {
                            if (!known) throw Unsupported("the PTX interpreter knows no tensor maps and no wgmma");
                            return step->prepare(*executor, p);
                        }});
    }
    return list;
}

std::vector<Implementation> ladder_under_every_schedule()
{
    std::vector<Implementation> list;
    for (const auto& [name, step] : rungs())
        list.push_back({std::string(name), "simt", step->claims, [step = step](const AttentionProblem& p) {
                            return std::unique_ptr<PreparedAttention>(std::make_unique<EverySchedule>(*step, p));
                        }});
    return list;
}

std::vector<StepInfo> steps()
{
    std::vector<StepInfo> list;
    for (const auto& [name, step] : rungs()) list.push_back({std::string(name), std::string(step->idea)});
    return list;
}

std::string why_executor_is_absent(std::string_view executor) { return why_absent(kind_of(executor)); }

} // namespace headroom::cuda
