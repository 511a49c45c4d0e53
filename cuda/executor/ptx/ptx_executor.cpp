#include "cuda/executor/ptx/ptx_executor.h"

#include "cuda/executor/kernel_files.h"
#include "cuda/executor/launch_limits.h"
#include "cuda/executor/ptx/machine.h"
#include "cuda/executor/tensor_box.h"

#include <cstring>

namespace headroom::cuda {

PtxExecutor::PtxExecutor() : searches_(true) {}

void PtxExecutor::copy_in(void* to, const void* from, std::size_t bytes)
{
    if (bytes) std::memcpy(to, from, bytes);
}

void PtxExecutor::copy_out(void* to, const void* from, std::size_t bytes)
{
    if (bytes) std::memcpy(to, from, bytes);
}

TensorMap PtxExecutor::tensor_map(const TensorBox& box) { return encode(box); }

const ptx::Function& PtxExecutor::find(std::string_view kernel)
{
    for (const auto& [path, module] : modules_)
        if (const ptx::Function* function = module.find(kernel)) return *function;
    if (searches_) {
        const auto path = kernel_file(kernel, ".ptx"); // throws where there is none
        const auto [it, fresh] = modules_.try_emplace(path, read_kernel_file(path));
        if (const ptx::Function* function = it->second.find(kernel)) return *function;
        throw std::runtime_error(path.string() + " has no kernel " + std::string(kernel));
    }
    throw std::runtime_error("no kernel " + std::string(kernel) + " in the PTX");
}

void PtxExecutor::launch(const KernelName& kernel, const LaunchShape& shape, const void* params, std::size_t bytes)
{
    check_limits(kernel, shape, 227 * 1024);
    ptx::Machine machine(find(kernel.name), memory_);
    machine.run(shape, {static_cast<const std::byte*>(params), bytes});
}

} // namespace headroom::cuda
