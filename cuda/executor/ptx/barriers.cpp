// Barriers of a block. A warp arrives when all of its lanes have come; lanes that are elsewhere are a divergent barrier.
#include "cuda/executor/ptx/barriers.h"

#include "cuda/executor/ptx/machine.h"

#include <algorithm>
#include <fmt/format.h>

namespace headroom::cuda::ptx {

void barrier_sync(Warp&, const Instruction&, u32) {} // they differ by name; Machine does their work
void barrier_arrive(Warp&, const Instruction&, u32) {}

void Machine::arrive_at_barrier(Warp& warp, u32 pc)
{
    const Instruction& i = function_.code[pc];
    const auto first = static_cast<u32>(std::countr_zero(warp.at_barrier));
    each_lane(warp.at_barrier, [&](u32 lane) {
        if (warp.pc[lane] != pc)
            fail(warp, i, lane, "divergent barrier: lanes of one warp wait at different barriers" + who_waits_where());
    });
    if (warp.at_barrier != warp.alive()) return; // the others may still come
    const u32 id = warp.get<u32>(i.r[0], first), count = i.operands > 1 ? warp.get<u32>(i.r[1], first) : 0;
    if (id > 15) fail(warp, i, first, fmt::format("there is no barrier {}", id));
    if (count % 32) fail(warp, i, first, fmt::format("a barrier of {} threads: not whole warps", count));
    Barrier& barrier = barriers_[id];
    if (barrier.warps && barrier.expected != count)
        fail(warp, i, first, fmt::format("barrier {} waits for {} threads, not for {}", id, barrier.expected, count));
    if (barrier.warps >> warp.number & 1) fail(warp, i, first, fmt::format("a warp arrives twice at barrier {}", id));
    barrier.expected = count;
    barrier.arrived += 32;
    barrier.warps |= 1u << warp.number;
    if (i.run == barrier_sync) {
        barrier.waiting |= 1u << warp.number;
        // Two __syncthreads of different lines: the block has diverged.
        for (const Warp& other : warps_) {
            if (count || !(barrier.waiting >> other.number & 1)) continue;
            const Instruction& there = function_.code[other.pc[static_cast<u32>(std::countr_zero(other.at_barrier))]];
            if (there.line != i.line)
                fail(warp, i, first,
                     "divergent barrier: warps met at different barriers, the other at " + place(there));
        }
    } else {
        advance(warp, warp.at_barrier, pc + 1);
        warp.running |= warp.at_barrier;
        warp.at_barrier = 0;
    }
    open_barriers();
}

void Machine::open_barriers()
{
    const auto live =
        static_cast<u32>(std::count_if(warps_.begin(), warps_.end(), [](const Warp& w) { return w.alive() != 0; }));
    for (Barrier& barrier : barriers_) {
        if (!barrier.warps || barrier.arrived < (barrier.expected ? barrier.expected : live * 32)) continue;
        for (Warp& warp : warps_) {
            if (!(barrier.waiting >> warp.number & 1)) continue;
            each_lane(warp.at_barrier, [&](u32 lane) { ++warp.pc[lane]; });
            warp.running |= warp.at_barrier;
            warp.at_barrier = 0;
            warp.together = true;
        }
        barrier = {};
    }
}

} // namespace headroom::cuda::ptx
