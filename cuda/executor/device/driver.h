// The part of CUDA's driver that we use, opened at run time: the same program starts where there is no GPU. The
// declarations are our own (from the CUDA Driver API reference), so that no CUDA header is needed to build.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace headroom::cuda::device {

using Result = int; // CUresult; 0: success
using Device = int;
using Context = struct CUctx_st*;
using Module = struct CUmod_st*;
using Function = struct CUfunc_st*;
using Stream = struct CUstream_st*;
using Event = struct CUevent_st*;
using Address = std::uint64_t; // CUdeviceptr

enum Attribute : int { // CUdevice_attribute
    most_shared_opt_in = 97,
    capability_major = 75,
    capability_minor = 76,
    multiprocessors = 16
};
constexpr int most_dynamic_shared = 8; // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES

struct Driver {
    Result (*init)(unsigned flags);
    Result (*device_count)(int* count);
    Result (*device_get)(Device* device, int ordinal);
    Result (*device_name)(char* name, int length, Device device);
    Result (*device_attribute)(int* value, int attribute, Device device);
    Result (*retain_context)(Context* context, Device device);
    Result (*release_context)(Device device);
    Result (*set_context)(Context context);
    Result (*synchronize)();
    Result (*load_module)(Module* module, const void* image);
    Result (*unload_module)(Module module);
    Result (*get_function)(Function* function, Module module, const char* name);
    Result (*set_function_attribute)(Function function, int attribute, int value);
    Result (*allocate)(Address* address, std::size_t bytes);
    Result (*free)(Address address);
    Result (*fill)(Address address, unsigned char value, std::size_t bytes);
    Result (*copy_in)(Address to, const void* from, std::size_t bytes);
    Result (*copy_out)(void* to, Address from, std::size_t bytes);
    Result (*launch)(Function function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                     unsigned shared, Stream stream, void** parameters, void** extra);
    Result (*create_event)(Event* event, unsigned flags);
    Result (*record)(Event event, Stream stream);
    Result (*wait_for)(Event event);
    Result (*elapsed)(float* milliseconds, Event begin, Event end);
    Result (*destroy_event)(Event event);
    Result (*error_name)(Result error, const char** text);
    Result (*error_string)(Result error, const char** text);
    Result (*encode_tiled)(void* map, int type, unsigned rank, void* data, const std::uint64_t* extents,
                           const std::uint64_t* strides, const unsigned* box, const unsigned* steps, int interleave,
                           int swizzle, int promotion, int out_of_bounds); // null before CUDA 12

    void check(Result result, const std::string& what) const; // throws Fault: "launch of x: CUDA_ERROR_… (…)"
};

// The driver, initialised; or null and the reason.
const Driver* driver(std::string& why_not);

} // namespace headroom::cuda::device
