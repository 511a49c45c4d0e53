// The simt executor with a tracer: for programs whose kernels were compiled with -fsanitize=thread.
#pragma once
#include "cuda/executor/simt/simt_executor.h"
#include "cuda/executor/tracer/tracer.h"
#include <utility>

namespace headroom::cuda {

class TracingExecutor : public Executor {
public:
    explicit TracingExecutor(unsigned event_blocks = 1, simt::Options options = {});
    explicit TracingExecutor(const std::filesystem::path& library); // takes kernels by name from a shared object
    ~TracingExecutor() override;

    void* allocate(std::size_t bytes, std::string_view label) override { return simt_.allocate(bytes, label); }
    void release(void* memory) noexcept override;
    void copy_in(void* to, const void* from, std::size_t bytes) override;
    void copy_out(void* to, const void* from, std::size_t bytes) override { simt_.copy_out(to, from, bytes); }
    TensorMap tensor_map(const TensorBox& box) override { return simt_.tensor_map(box); }
    void launch(const KernelName& kernel, const LaunchShape& shape, const void* params, std::size_t bytes) override;
    void finish() override { simt_.finish(); }

    std::vector<KernelTrace> take() { return std::exchange(launches_, {}); } // since the last take, in order

private:
    SimtExecutor simt_;
    Tracer tracer_;
    std::vector<KernelTrace> launches_;
};

} // namespace headroom::cuda
