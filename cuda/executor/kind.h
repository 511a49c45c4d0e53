// The three ways to run a kernel, and why one of them may be missing here.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace headroom::cuda {

enum class ExecutorKind : std::uint8_t {
    simt,  // the kernel's source compiled for the CPU; CUDA threads are fibers
    ptx,   // the PTX that nvcc emitted, interpreted
    device // nvcc's machine code on a GPU
};
std::string_view name(ExecutorKind kind);
std::string why_absent(ExecutorKind kind); // empty: it can run here; else the reason, to print

} // namespace headroom::cuda
