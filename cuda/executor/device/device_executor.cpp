#include "cuda/executor/device/device_executor.h"

#include "cuda/executor/kernel_files.h"
#include "cuda/executor/launch_limits.h"
#include "cuda/executor/tensor_box.h"

namespace headroom::cuda {

DeviceExecutor::DeviceExecutor()
{
    std::string why_not;
    driver_ = device::driver(why_not);
    if (!driver_) throw std::runtime_error(why_not);
    driver_->check(driver_->device_get(&device_, 0), "the first GPU");
    device::Context context = nullptr;
    driver_->check(driver_->retain_context(&context, device_), "the GPU's context");
    driver_->check(driver_->set_context(context), "the GPU's context");
}

DeviceExecutor::~DeviceExecutor()
{
    for (const auto& [path, module] : modules_) driver_->unload_module(module);
    driver_->release_context(device_);
}

std::string DeviceExecutor::device_name() const
{
    char name[128] = {};
    driver_->check(driver_->device_name(name, sizeof name, device_), "the GPU's name");
    return name;
}

int DeviceExecutor::attribute(device::Attribute attribute) const
{
    int value = 0;
    driver_->check(driver_->device_attribute(&value, attribute, device_), "an attribute of the GPU");
    return value;
}

void* DeviceExecutor::allocate(std::size_t bytes, std::string_view label)
{
    device::Address address = 0;
    const std::size_t some = bytes ? bytes : 1;
    driver_->check(driver_->allocate(&address, some), "memory for '" + std::string(label) + "'");
    driver_->check(driver_->fill(address, 0xff, some), "filling '" + std::string(label) + "'");
    return reinterpret_cast<void*>(address);
}

void DeviceExecutor::release(void* memory) noexcept { driver_->free(reinterpret_cast<device::Address>(memory)); }

void DeviceExecutor::copy_in(void* to, const void* from, std::size_t bytes)
{
    if (bytes)
        driver_->check(driver_->copy_in(reinterpret_cast<device::Address>(to), from, bytes), "copying to the GPU");
}

void DeviceExecutor::copy_out(void* to, const void* from, std::size_t bytes)
{
    if (bytes)
        driver_->check(driver_->copy_out(to, reinterpret_cast<device::Address>(from), bytes), "copying from the GPU");
}

TensorMap DeviceExecutor::tensor_map(const TensorBox& box)
{
    check(box);
    if (!driver_->encode_tiled) throw std::runtime_error("tensor maps need a driver for CUDA 12");
    constexpr int u8 = 0, u16 = 1, u32 = 2; // CUtensorMapDataType: the bits are only moved
    constexpr int no_interleave = 0, swizzle_128 = 3, promote_256 = 3, zeroes = 0;
    const int type = box.element_bytes == 1 ? u8 : box.element_bytes == 2 ? u16 : u32;
    std::uint64_t extents[4], strides[3];
    unsigned sides[4], steps[4] = {1, 1, 1, 1};
    for (std::size_t i = 0; i < 4; ++i) {
        extents[i] = static_cast<std::uint64_t>(box.extent[i]);
        sides[i] = static_cast<unsigned>(box.box[i]);
        if (i < 3) strides[i] = static_cast<std::uint64_t>(box.byte_stride[i]);
    }
    TensorMap map = {};
    driver_->check(driver_->encode_tiled(&map, type, 4, const_cast<void*>(box.data), extents, strides, sides, steps,
                                         no_interleave, swizzle_128, promote_256, zeroes),
                   "tensor map");
    return map;
}

device::Module DeviceExecutor::load(const std::filesystem::path& path)
{
    if (const auto it = modules_.find(path); it != modules_.end()) return it->second;
    const std::string image = read_kernel_file(path);
    device::Module module = nullptr;
    driver_->check(driver_->load_module(&module, image.c_str()), "loading " + path.filename().string());
    return modules_[path] = module;
}

device::Function DeviceExecutor::find(const KernelName& kernel)
{
    if (const auto it = functions_.find(kernel.name); it != functions_.end()) return it->second;
    std::filesystem::path path;
    try {
        path = kernel_file(kernel.name, ".fatbin");
    } catch (const std::runtime_error&) {
        path = kernel_file(kernel.name, ".ptx");
    }
    device::Function function = nullptr;
    driver_->check(driver_->get_function(&function, load(path), kernel.name), std::string("finding ") + kernel.name);
    return functions_[kernel.name] = function;
}

void DeviceExecutor::launch(const KernelName& kernel, const LaunchShape& shape, const void* params, std::size_t)
{
    check_limits(kernel, shape, static_cast<std::size_t>(attribute(device::most_shared_opt_in)));
    const device::Function function = find(kernel);
    const std::string what = std::string("launch of ") + kernel.name;
    if (shape.dynamic_shared > 48 * 1024)
        driver_->check(driver_->set_function_attribute(function, device::most_dynamic_shared,
                                                       static_cast<int>(shape.dynamic_shared)),
                       what);
    void* parameters[] = {const_cast<void*>(params)};
    const auto [grid, block, shared] = shape;
    driver_->check(driver_->launch(function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                   static_cast<unsigned>(shared), nullptr, parameters, nullptr),
                   what);
    running_ = kernel.name;
}

double DeviceExecutor::milliseconds(const std::function<void()>& launches)
{
    struct Mark { // an event, owned
        const device::Driver& driver;
        device::Event event = nullptr;
        explicit Mark(const device::Driver& d) : driver(d) { d.check(d.create_event(&event, 0), "an event"); }
        Mark(const Mark&) = delete;
        Mark& operator=(const Mark&) = delete;
        ~Mark() { driver.destroy_event(event); }
    };
    const Mark begin(*driver_), end(*driver_);
    driver_->check(driver_->record(begin.event, nullptr), "an event");
    launches();
    driver_->check(driver_->record(end.event, nullptr), "an event");
    driver_->check(driver_->wait_for(end.event), "kernel " + running_);
    float time = 0;
    driver_->check(driver_->elapsed(&time, begin.event, end.event), "the time between two events");
    return double{time};
}

void DeviceExecutor::finish() { driver_->check(driver_->synchronize(), "kernel " + running_); }

} // namespace headroom::cuda
