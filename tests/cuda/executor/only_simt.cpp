// The executors of a build that has only the host's: for tests/cuda/executor/aarch64.
#include "cuda/executor/simt/simt_executor.h"

#include <stdexcept>

namespace headroom::cuda {

std::string_view name(ExecutorKind kind) { return kind == ExecutorKind::simt ? "simt" : "other"; }
std::string why_absent(ExecutorKind kind) { return kind == ExecutorKind::simt ? "" : "not in this build"; }
std::unique_ptr<Executor> make_executor(ExecutorKind kind)
{
    if (kind != ExecutorKind::simt) throw std::runtime_error(why_absent(kind));
    return std::make_unique<SimtExecutor>();
}

} // namespace headroom::cuda
