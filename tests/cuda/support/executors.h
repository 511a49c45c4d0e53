// Every way to run a kernel that this machine has: tests of kernels loop over it.
#pragma once
#include "cuda/executor/executor.h"
#include <functional>
#include <string>
#include <vector>

namespace headroom::cuda {

struct NamedExecutor {
    std::string name; // "simt reverse eager", "ptx", "device"
    std::function<std::unique_ptr<Executor>()> make;
};
std::vector<NamedExecutor> simt_executors();   // every schedule, copies landing early and late
std::vector<NamedExecutor> every_executor();   // and the others that are present; prints why one is not
std::vector<NamedExecutor> hopper_executors(); // those that can run steps for sm_90a

} // namespace headroom::cuda
