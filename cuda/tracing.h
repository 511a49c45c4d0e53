// The ladder under the tracer: what each step does to memory. Only for programs that link headroom_cuda_traced, in which
// the kernels are compiled to tell the tracer of every access: headroom-traced, and tests.
#pragma once
#include "reference/contract/claims.h"
#include "reference/contract/kernel_trace.h"
#include <functional>
#include <string>

namespace headroom::cuda {

struct StepTrace {
    std::vector<KernelTrace> launches; // in order, each with events of its first `event_blocks` blocks
    PartialResults partial;
    AttentionStages stages;
};
struct TraceableStep {
    std::string name, idea;
    Claims claims;
    std::function<StepTrace(const AttentionProblem& problem, unsigned event_blocks)> trace; // may throw Unsupported
};
std::vector<TraceableStep> traceable_steps(); // the lines of ladder.inc

} // namespace headroom::cuda
