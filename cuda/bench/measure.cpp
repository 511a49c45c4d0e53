#include "cuda/bench/measure.h"

#include "cuda/bench/clock.h"
#include "cuda/step.h"
#include <algorithm>
#include <array>

namespace headroom::cuda {
namespace {

struct Named {
    const char* name;
    const KernelStep* step;
};
constexpr std::array ladder_steps{
#define STEP(folder, file) Named{#folder "/" #file, &folder##_##file},
#include "cuda/ladder.inc"
#undef STEP
};

} // namespace

std::vector<Measured> measure(Executor& executor, const BenchShape& shape, Index working_set, int samples)
{
    const BenchProblem posed(shape);
    const AttentionProblem& problem = posed.problem();
    const Index copies = std::clamp<Index>((working_set + shape.kv_bytes() - 1) / shape.kv_bytes(), 1, 64);
    std::vector<Measured> list;
    for (const auto& [name, step] : ladder_steps) {
        if (!why_not(step->claims, problem).empty()) continue;
        try {
            std::vector<std::unique_ptr<PreparedAttention>> runs;
            for (Index n = 0; n < copies; ++n) runs.push_back(step->prepare(executor, problem));
            const int launches = std::max(8, static_cast<int>(copies));
            const double time = microseconds_each(
                executor, launches, samples, [&](int n) { runs[static_cast<std::size_t>(n) % runs.size()]->launch(); });
            list.push_back({name, time, {}});
        } catch (const Unsupported&) {
        } catch (const std::exception& fault) {
            list.push_back({name, 0, fault.what()});
        }
    }
    return list;
}

} // namespace headroom::cuda
