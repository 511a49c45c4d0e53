// Runs kernels on a GPU: nvcc's machine code where there is one for it, else its PTX, which the driver compiles.
#pragma once
#include "cuda/executor/device/driver.h"
#include "cuda/executor/executor.h"
#include <filesystem>
#include <functional>
#include <map>

namespace headroom::cuda {

class DeviceExecutor : public Executor {
public:
    DeviceExecutor(); // the first GPU; throws std::runtime_error with why_absent's reason
    ~DeviceExecutor() override;

    void* allocate(std::size_t bytes, std::string_view label) override;
    void release(void* memory) noexcept override;
    void copy_in(void* to, const void* from, std::size_t bytes) override;
    void copy_out(void* to, const void* from, std::size_t bytes) override;
    TensorMap tensor_map(const TensorBox& box) override;
    void launch(const KernelName& kernel, const LaunchShape& shape, const void* params, std::size_t bytes) override;
    void finish() override;

    double milliseconds(const std::function<void()>& launches); // on the GPU, between two of its events
    std::string device_name() const;
    int attribute(device::Attribute attribute) const;

private:
    device::Module load(const std::filesystem::path& path);
    device::Function find(const KernelName& kernel);
    const device::Driver* driver_;
    device::Device device_ = 0;
    std::map<std::filesystem::path, device::Module> modules_;
    std::map<std::string, device::Function, std::less<>> functions_;
    std::string running_; // kernels since the last finish, for its message
};

} // namespace headroom::cuda
