// One CUDA thread: who it is, its fiber, and what it waits for.
#pragma once
#include "cuda/executor/executor.h"
#include "cuda/executor/simt/fiber.h"
#include "cuda/executor/simt/site.h"

namespace headroom::cuda::simt {

class Block;

struct Lane {
    Dim index;                               // threadIdx
    unsigned thread = 0, warp = 0, lane = 0; // linear in the block, and inside its warp
    Block* block = nullptr;
    Fiber fiber;
    bool exited = false;

    // What it waits in. Operands and results lie on its own, suspended stack.
    Op op = Op::none;
    std::uint32_t mask = 0;
    Site site;
    const void* in = nullptr;
    void* out = nullptr;
};

// The thread that runs now; null outside a kernel.
extern constinit thread_local Lane* current;

} // namespace headroom::cuda::simt
