// Barriers of a block: __syncthreads is barrier 0 for all threads, named barriers have a number and a thread count.
// They are warp-aligned, as in hardware: the lanes of a warp meet first, then the warp arrives as one.
#include "cuda/executor/simt/block.h"
#include "cuda/executor/simt/observer.h"

#include <algorithm>

namespace headroom::cuda::simt {

void Block::sync_threads(Site site) { sync_block(Op::syncthreads, {0, 0, true}, site); }

void Block::barrier(int id, unsigned threads, bool wait, Site site)
{
    const Op op = wait ? Op::barrier_sync : Op::barrier_arrive;
    if (id < 0 || id > 15) fail("there is no barrier " + std::to_string(id) + ": 0 to 15", &site);
    if (threads == 0 || threads % 32)
        fail("a barrier of " + std::to_string(threads) + " threads: not whole warps", &site);
    sync_block(op, {id, threads, wait}, site);
}

void Block::sync_block(Op op, BarrierCall call, Site site)
{
    Lane& self = *current;
    const std::uint32_t who = gather(op, ~0u, site, call);
    if (!who) return;
    if (observer) observer->lanes_met(*this, op, self.warp, who, site);
    const bool opened = arrive(self.warp, who, call);
    Barrier& barrier = barriers_[static_cast<std::size_t>(call.id)];
    if (opened) open(barrier);
    if (!call.wait) release(self.warp, who);
    wait();
}

bool Block::arrive(unsigned warp, std::uint32_t lanes, BarrierCall call)
{
    Barrier& barrier = barriers_[static_cast<std::size_t>(call.id)];
    if (barrier.warps && barrier.expected != call.threads)
        fail("barrier " + std::to_string(call.id) + " waits for " + std::to_string(barrier.expected) +
             " threads, not for " + std::to_string(call.threads));
    if (barrier.warps >> warp & 1) fail("a warp arrives twice at barrier " + std::to_string(call.id));
    barrier.expected = call.threads;
    barrier.arrived += 32;
    barrier.warps |= 1u << warp;
    barrier.waiting[warp] = call.wait ? lanes : 0;

    // Warps that meet at different __syncthreads have diverged.
    if (call.threads == 0) {
        const Lane& mine = lanes_[warp * 32 + static_cast<unsigned>(__builtin_ctz(lanes))];
        for (unsigned w = 0; w < warps_.size(); ++w) {
            if (!barrier.waiting[w]) continue;
            const Lane& other = lanes_[w * 32 + static_cast<unsigned>(__builtin_ctz(barrier.waiting[w]))];
            if (other.site != mine.site)
                fail("divergent barrier: threads of the block met at different __syncthreads, " + to_text(other.site) +
                     " and " + to_text(mine.site));
        }
    }
    return complete(barrier);
}

unsigned Block::live_warps() const
{
    return static_cast<unsigned>(
        std::count_if(warps_.begin(), warps_.end(), [](const Warp& warp) { return warp.absent != ~0u; }));
}

bool Block::complete(const Barrier& barrier) const
{
    return barrier.arrived >= (barrier.expected ? barrier.expected : live_warps() * 32);
}

void Block::open(Barrier& barrier)
{
    order_.sync_warps(barrier.warps);
    if (observer) observer->barrier_opened(*this, barrier.warps);
    for (unsigned w = 0; w < warps_.size(); ++w)
        if (barrier.waiting[w]) release(w, barrier.waiting[w]);
    barrier = {};
}

} // namespace headroom::cuda::simt
