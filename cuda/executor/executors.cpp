#include "cuda/executor/executor.h"
#include "cuda/executor/simt/simt_executor.h"

#include <stdexcept>

namespace headroom::cuda {

std::string_view name(ExecutorKind kind)
{
    switch (kind) {
    case ExecutorKind::simt: return "simt";
    case ExecutorKind::ptx: return "ptx";
    case ExecutorKind::device: return "device";
    }
    return "?";
}

std::string why_absent(ExecutorKind kind)
{
    switch (kind) {
    case ExecutorKind::simt: return {};
    case ExecutorKind::ptx: return "the PTX interpreter is not written yet";
    case ExecutorKind::device: return "the device executor is not written yet";
    }
    return "unknown";
}

std::unique_ptr<Executor> make_executor(ExecutorKind kind)
{
    if (const std::string reason = why_absent(kind); !reason.empty()) throw std::runtime_error(reason);
    return std::make_unique<SimtExecutor>();
}

} // namespace headroom::cuda
