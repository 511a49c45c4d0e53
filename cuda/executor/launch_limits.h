// What every launch must respect, on every executor: CUDA's limits and the kernel's own launch bounds.
#pragma once
#include "cuda/executor/executor.h"
#include "reference/contract/implementation.h"
#include <stdexcept>
#include <string>

namespace headroom::cuda {

inline void check_limits(const KernelName& kernel, const LaunchShape& shape, std::size_t most_shared)
{
    const auto refuse = [&](const std::string& why) {
        throw std::invalid_argument(std::string("launch of ") + kernel.name + ": " + why);
    };
    const auto [bx, by, bz] = shape.block;
    const auto [gx, gy, gz] = shape.grid;
    const std::uint64_t threads = std::uint64_t{bx} * by * bz;
    if (threads == 0 || threads > 1024 || bz > 64) refuse("a block of " + std::to_string(threads) + " threads");
    if (threads > static_cast<std::uint64_t>(kernel.most_threads))
        refuse("a block of " + std::to_string(threads) + " threads, but its launch bounds say " +
               std::to_string(kernel.most_threads));
    if (gx == 0 || gy == 0 || gz == 0) refuse("an empty grid");
    if (gx > 0x7fffffffu || gy > 65535 || gz > 65535)
        throw Unsupported(std::string(kernel.name) + " cannot compute this: its grid of " + std::to_string(gx) + " x " +
                          std::to_string(gy) + " x " + std::to_string(gz) +
                          " blocks is beyond CUDA's limits, 2147483647 x 65535 x 65535");
    if (shape.dynamic_shared > most_shared)
        refuse(std::to_string(shape.dynamic_shared) + " bytes of shared memory, but a block can have " +
               std::to_string(most_shared));
}

} // namespace headroom::cuda
