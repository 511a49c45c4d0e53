// Runs kernels by interpreting the PTX that nvcc emitted for them. It shows what the compiler really got; it does not
// see machine code, timing, the tensor core's rounding or weak memory.
#pragma once
#include "cuda/executor/executor.h"
#include "cuda/executor/host_memory.h"
#include "cuda/executor/ptx/module.h"
#include <filesystem>

namespace headroom::cuda {

class PtxExecutor : public Executor {
public:
    PtxExecutor(); // finds each kernel's PTX in kernel_folder()
    explicit PtxExecutor(std::string_view ptx) { modules_.emplace("", ptx); } // this text only

    void* allocate(std::size_t bytes, std::string_view label) override { return memory_.allocate(bytes, label); }
    void release(void* memory) noexcept override { memory_.release(memory); }
    void copy_in(void* to, const void* from, std::size_t bytes) override;
    void copy_out(void* to, const void* from, std::size_t bytes) override;
    TensorMap tensor_map(const TensorBox& box) override;
    void launch(const KernelName& kernel, const LaunchShape& shape, const void* params, std::size_t bytes) override;
    void finish() override {}

private:
    const ptx::Function& find(std::string_view kernel);
    HostMemory memory_;
    std::map<std::filesystem::path, ptx::Module> modules_;
    bool searches_ = false;
};

} // namespace headroom::cuda
