#include "cuda/executor/simt/simt_executor.h"

#include "cuda/executor/launch_limits.h"
#include "cuda/executor/tensor_box.h"

#include <cstring>
#include <dlfcn.h>
#include <vector>

namespace headroom::cuda {

SimtExecutor::SimtExecutor(simt::Options options) : block_(memory_, options) {}

SimtExecutor::SimtExecutor(const std::filesystem::path& library, simt::Options options)
    : block_(memory_, options), library_(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL))
{
    if (!library_) throw std::runtime_error(std::string("cannot load kernels: ") + dlerror());
}

SimtExecutor::~SimtExecutor()
{
    if (library_) dlclose(library_);
}

void SimtExecutor::copy_in(void* to, const void* from, std::size_t bytes)
{
    if (bytes) std::memcpy(to, from, bytes);
}

void SimtExecutor::copy_out(void* to, const void* from, std::size_t bytes)
{
    if (bytes) std::memcpy(to, from, bytes);
}

void SimtExecutor::launch(const KernelName& kernel, const LaunchShape& shape, const void* params, std::size_t bytes)
{
    check_limits(kernel, shape, simt::SharedMemory::limit);
    KernelName found = kernel;
    if (library_) found.host = reinterpret_cast<void (*)(const void*)>(dlsym(library_, kernel.name));
    if (!found.host) throw std::runtime_error(std::string("no kernel ") + kernel.name);

    // A copy of the parameters, aligned as a TensorMap inside them may need.
    std::vector<std::byte> storage(bytes + 64);
    void* copy = storage.data();
    std::size_t room = storage.size();
    std::memcpy(std::align(64, bytes, copy, room), params, bytes);

    const Dim grid = shape.grid;
    for (const unsigned n : block_.scheduler().block_order(grid.x * grid.y * grid.z))
        block_.run(found, shape, {n % grid.x, n / grid.x % grid.y, n / (grid.x * grid.y)}, copy);
}

TensorMap SimtExecutor::tensor_map(const TensorBox& box) { return encode(box); }

} // namespace headroom::cuda
