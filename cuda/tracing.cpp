#include "cuda/tracing.h"

#include "cuda/executor/tracer/tracing_executor.h"
#include "cuda/step.h"

namespace headroom::cuda {
namespace {

StepTrace trace(const std::string& name, const KernelStep& step, const AttentionProblem& problem, unsigned event_blocks)
{
    if (const std::string reason = why_not(step.claims, problem); !reason.empty())
        throw Unsupported(name + " cannot compute this: " + reason);
    TracingExecutor executor(event_blocks);
    const auto run = step.prepare(executor, problem);
    run->launch();
    executor.finish();
    return {executor.take(), run->parts(), run->stages()};
}

} // namespace

std::vector<TraceableStep> traceable_steps()
{
    std::vector<TraceableStep> list;
    const auto add = [&](std::string name, const KernelStep& step) {
        list.push_back({name, std::string(step.idea), step.claims,
                        [name, &step](const AttentionProblem& problem, unsigned event_blocks) {
                            return trace(name, step, problem, event_blocks);
                        }});
    };
#define STEP(folder, file) add(#folder "/" #file, folder##_##file);
#include "cuda/ladder.inc"
#undef STEP
    return list;
}

} // namespace headroom::cuda
