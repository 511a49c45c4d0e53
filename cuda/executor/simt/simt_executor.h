// Runs kernels on the CPU: the kernel's source, compiled by g++ or clang, with a fiber for every CUDA thread.
#pragma once
#include "cuda/executor/executor.h"
#include "cuda/executor/host_memory.h"
#include "cuda/executor/simt/block.h"
#include <filesystem>

namespace headroom::cuda {

class SimtExecutor : public Executor {
public:
    explicit SimtExecutor(simt::Options options = {});
    // Takes kernels by name from a shared object instead of this program.
    SimtExecutor(const std::filesystem::path& library, simt::Options options = {});
    ~SimtExecutor() override;

    void* allocate(std::size_t bytes, std::string_view label) override { return memory_.allocate(bytes, label); }
    void release(void* memory) noexcept override { memory_.release(memory); }
    void copy_in(void* to, const void* from, std::size_t bytes) override;
    void copy_out(void* to, const void* from, std::size_t bytes) override;
    TensorMap tensor_map(const TensorBox& box) override;
    void launch(const KernelName& kernel, const LaunchShape& shape, const void* params, std::size_t bytes) override;
    void finish() override { memory_.check_guards(); }

    const HostMemory& memory() const { return memory_; }
    void observe(simt::Observer* observer) { block_.observer = observer; }

private:
    HostMemory memory_;
    simt::Block block_;
    void* library_ = nullptr;
};

} // namespace headroom::cuda
