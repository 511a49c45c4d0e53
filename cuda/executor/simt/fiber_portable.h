// Fibers by POSIX ucontext: slow, but everywhere. The fallback, and the check of the hand-written switches.
#pragma once
#include "cuda/executor/simt/fiber.h"

namespace headroom::cuda::simt {

void prepare_portable(Fiber& fiber, Fiber::Entry entry, void* argument);
void switch_portable(Fiber& from, Fiber& to);

} // namespace headroom::cuda::simt
