// Instructions for which the lanes of a warp must meet.
#pragma once
#include "cuda/executor/ptx/warp.h"

namespace headroom::cuda::ptx {

void sync_lanes(Warp&, const Instruction&, u32 lanes); // bar.warp.sync, which forgives lanes that exited

} // namespace headroom::cuda::ptx
