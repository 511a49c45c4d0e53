// bar.sync and bar.arrive.
#pragma once
#include "cuda/executor/ptx/warp.h"

namespace headroom::cuda::ptx {

void barrier_sync(Warp&, const Instruction&, u32 lanes);
void barrier_arrive(Warp&, const Instruction&, u32 lanes);

} // namespace headroom::cuda::ptx
