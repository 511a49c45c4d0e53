// Stacks for the fibers of one block, in one mapping, with a guard page below each; kept from launch to launch.
#pragma once
#include "cuda/executor/simt/fiber.h"

namespace headroom::cuda::simt {

class Stacks {
public:
    Stacks() = default;
    Stacks(const Stacks&) = delete;
    Stacks& operator=(const Stacks&) = delete;
    ~Stacks();

    void reserve(std::size_t count);
    void assign(Fiber& fiber, std::size_t n) const;

private:
    void unmap() noexcept;
    std::byte* base_ = nullptr;
    std::size_t stride_ = 0, page_ = 0, count_ = 0;
};

} // namespace headroom::cuda::simt
