// How long kernels take: by the GPU's events, or by this computer's clock where the executor is the host.
#pragma once
#include "cuda/executor/executor.h"
#include <functional>
#include <string>

namespace headroom::cuda {

double milliseconds(Executor& executor, const std::function<void()>& launches);

// The median over `samples` of the time of one launch; launch(n) starts the n-th, so that each can have its own memory.
// Three samples' worth of launches come first, unmeasured, unless one takes longer than a fifth of a second.
double microseconds_each(Executor& executor, int launches, int samples, const std::function<void(int)>& launch);

struct Where {
    std::string executor, gpu; // "device", "NVIDIA H200"; on the host "simt", "none"
    int major = 0, minor = 0, multiprocessors = 1;
};
Where where(Executor& executor);

} // namespace headroom::cuda
