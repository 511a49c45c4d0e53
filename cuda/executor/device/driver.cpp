#include "cuda/executor/device/driver.h"

#include "cuda/executor/fault.h"

#include <dlfcn.h>

namespace headroom::cuda::device {
namespace {

struct Opened {
    Driver driver = {};
    std::string why_not;
};

Opened open()
{
    Opened o;
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        o.why_not = "no GPU driver (libcuda.so.1) on this machine";
        return o;
    }
    // The newest name of each call comes first: "_v2" has 64-bit sizes.
    const auto find = [&](auto& call, const char* name, bool required = true) {
        call = reinterpret_cast<std::remove_reference_t<decltype(call)>>(dlsym(library, name));
        if (!call && required && o.why_not.empty()) o.why_not = std::string("the GPU driver has no ") + name;
    };
    Driver& d = o.driver;
    find(d.init, "cuInit");
    find(d.device_count, "cuDeviceGetCount");
    find(d.device_get, "cuDeviceGet");
    find(d.device_name, "cuDeviceGetName");
    find(d.device_attribute, "cuDeviceGetAttribute");
    find(d.retain_context, "cuDevicePrimaryCtxRetain");
    find(d.release_context, "cuDevicePrimaryCtxRelease_v2");
    find(d.set_context, "cuCtxSetCurrent");
    find(d.synchronize, "cuCtxSynchronize");
    find(d.load_module, "cuModuleLoadData");
    find(d.unload_module, "cuModuleUnload");
    find(d.get_function, "cuModuleGetFunction");
    find(d.set_function_attribute, "cuFuncSetAttribute");
    find(d.allocate, "cuMemAlloc_v2");
    find(d.free, "cuMemFree_v2");
    find(d.fill, "cuMemsetD8_v2");
    find(d.copy_in, "cuMemcpyHtoD_v2");
    find(d.copy_out, "cuMemcpyDtoH_v2");
    find(d.launch, "cuLaunchKernel");
    find(d.create_event, "cuEventCreate");
    find(d.record, "cuEventRecord");
    find(d.wait_for, "cuEventSynchronize");
    find(d.elapsed, "cuEventElapsedTime");
    find(d.destroy_event, "cuEventDestroy_v2");
    find(d.error_name, "cuGetErrorName");
    find(d.error_string, "cuGetErrorString");
    find(d.encode_tiled, "cuTensorMapEncodeTiled", false);
    if (!o.why_not.empty()) return o;

    int devices = 0;
    if (const Result r = d.init(0); r != 0)
        o.why_not = "the GPU driver does not start (CUDA error " + std::to_string(r) + ")";
    else if (d.device_count(&devices) != 0 || devices == 0)
        o.why_not = "the GPU driver finds no GPU";
    return o;
}

} // namespace

void Driver::check(Result result, const std::string& what) const
{
    if (result == 0) return;
    const char *name = nullptr, *text = nullptr;
    error_name(result, &name);
    error_string(result, &text);
    throw Fault(what + ": " + (name ? name : "CUDA error " + std::to_string(result)) +
                (text ? " (" + std::string(text) + ")" : ""));
}

const Driver* driver(std::string& why_not)
{
    static const Opened opened = open();
    why_not = opened.why_not;
    return why_not.empty() ? &opened.driver : nullptr;
}

} // namespace headroom::cuda::device
