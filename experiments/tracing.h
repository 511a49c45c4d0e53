// Steps of the ladder under the tracer. Only for programs that link headroom_tracing: headroom-traced, and tests.
#pragma once
#include "cuda/tracing.h"
#include "experiments/trace_settings.h"
#include "reference/recording/recording.h"

namespace headroom {

struct Refusal { // a step that does not do this problem
    std::string step, reason;
};
struct Traces {
    Recording recording; // its kernels
    std::vector<Refusal> refused;
};

// Throws std::invalid_argument if no step is meant, or none takes the problem.
Traces trace(const TraceSettings& settings);

TracedStep traced(const cuda::TraceableStep& step, const AttentionProblem& problem, Index event_blocks);

} // namespace headroom
