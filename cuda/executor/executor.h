// Where kernels run. A kernel has a name and takes one trivially copyable struct; every executor finds it by that name:
// in this program (simt), in a shared object (traced kernels, mutants, plugins), in PTX (interpreter), in a fat binary
// (GPU driver).
#pragma once
#include "cuda/executor/kind.h"
#include "cuda/executor/tensor_map.h"
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace headroom::cuda {

struct Dim {
    unsigned x = 1, y = 1, z = 1;
};
struct LaunchShape {
    Dim grid = {}, block = {};
    std::size_t dynamic_shared = 0; // bytes
};
struct KernelName {
    const char* name = nullptr;
    void (*host)(const void* params) = nullptr; // one simulated thread's body
    int most_threads = 1024;                    // of a block: its launch bounds
};
template <class Params> struct Kernel : KernelName {}; // made by KERNEL in cuda/primitives/cuda.h

class Executor {
public:
    virtual ~Executor() = default;

    // Memory that kernels see: 256-byte aligned and filled with 0xff, which is NaN in every floating-point type. The
    // label names it in faults and traces.
    virtual void* allocate(std::size_t bytes, std::string_view label) = 0;
    virtual void release(void* memory) noexcept = 0;
    virtual void copy_in(void* to, const void* from, std::size_t bytes) = 0;
    virtual void copy_out(void* to, const void* from, std::size_t bytes) = 0;
    virtual TensorMap tensor_map(const TensorBox& box) = 0;

    // Starts a kernel; finish() waits for all that were started. Either throws what went wrong.
    virtual void launch(const KernelName& kernel, const LaunchShape& shape, const void* params, std::size_t bytes) = 0;
    virtual void finish() = 0;
};

std::unique_ptr<Executor> make_executor(ExecutorKind kind); // throws std::runtime_error with why_absent's reason

template <class Params>
void launch(Executor& executor, const Kernel<Params>& kernel, const LaunchShape& shape, const Params& params)
{
    static_assert(std::is_trivially_copyable_v<Params>);
    executor.launch(kernel, shape, &params, sizeof params);
}

// Memory of an executor, owned.
template <class T> class Buffer {
public:
    Buffer(Executor& executor, std::size_t count, std::string_view label)
        : executor_(&executor), data_(static_cast<T*>(executor.allocate(count * sizeof(T), label))), count_(count)
    {}
    Buffer(Executor& executor, std::span<const T> values, std::string_view label)
        : Buffer(executor, values.size(), label)
    {
        write(values);
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { executor_->release(data_); }

    T* data() const { return data_; }
    std::size_t count() const { return count_; }
    void write(std::span<const T> values) { executor_->copy_in(data_, values.data(), values.size_bytes()); }
    std::vector<T> read() const
    {
        executor_->finish();
        std::vector<T> values(count_);
        executor_->copy_out(values.data(), data_, count_ * sizeof(T));
        return values;
    }

private:
    Executor* executor_;
    T* data_;
    std::size_t count_;
};

} // namespace headroom::cuda
