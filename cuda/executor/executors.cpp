#include "cuda/executor/device/device_executor.h"
#include "cuda/executor/executor.h"
#include "cuda/executor/kernel_files.h"
#include "cuda/executor/ptx/ptx_executor.h"
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
    case ExecutorKind::ptx:
        return has_kernel_files(".ptx")
                   ? ""
                   : "no PTX: build with nvcc, or name a folder with PTX files in HEADROOM_KERNELS";
    case ExecutorKind::device: {
        std::string why_not;
        device::driver(why_not);
        if (why_not.empty() && !has_kernel_files(".fatbin") && !has_kernel_files(".ptx"))
            why_not = "no kernels for GPUs: build with nvcc, or name a folder with them in HEADROOM_KERNELS";
        return why_not;
    }
    }
    return "unknown";
}

std::unique_ptr<Executor> make_executor(ExecutorKind kind)
{
    if (const std::string reason = why_absent(kind); !reason.empty()) throw std::runtime_error(reason);
    if (kind == ExecutorKind::device) return std::make_unique<DeviceExecutor>();
    if (kind == ExecutorKind::ptx) return std::make_unique<PtxExecutor>();
    return std::make_unique<SimtExecutor>();
}

} // namespace headroom::cuda
