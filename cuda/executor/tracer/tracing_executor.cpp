#include "cuda/executor/tracer/tracing_executor.h"

namespace headroom::cuda {

TracingExecutor::TracingExecutor(unsigned event_blocks, simt::Options options)
    : simt_(options), tracer_(simt_.memory(), event_blocks)
{
    simt_.observe(&tracer_);
}

TracingExecutor::TracingExecutor(const std::filesystem::path& library) : simt_(library), tracer_(simt_.memory(), 1)
{
    simt_.observe(&tracer_);
}

TracingExecutor::~TracingExecutor() = default;

void TracingExecutor::release(void* memory) noexcept
{
    tracer_.forget(memory);
    simt_.release(memory);
}

void TracingExecutor::copy_in(void* to, const void* from, std::size_t bytes)
{
    simt_.copy_in(to, from, bytes);
    tracer_.initialised(to, bytes);
}

void TracingExecutor::launch(const KernelName& kernel, const LaunchShape& shape, const void* params, std::size_t bytes)
{
    tracer_.begin(kernel.name, shape);
    active_tracer = &tracer_;
    try {
        simt_.launch(kernel, shape, params, bytes);
    } catch (...) {
        active_tracer = nullptr;
        launches_.push_back(tracer_.take());
        throw;
    }
    active_tracer = nullptr;
    launches_.push_back(tracer_.take());
}

} // namespace headroom::cuda
