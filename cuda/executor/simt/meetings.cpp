// Lanes of one warp meet: shuffles, votes, matrix products, __syncwarp, and the first half of every barrier.
#include "cuda/executor/simt/block.h"
#include "cuda/executor/simt/observer.h"

#include <cstdio>

namespace headroom::cuda::simt {
namespace {

// These may leave out lanes that exited; everything else needs all that the mask names.
bool forgives_exit(Op op)
{
    return op == Op::syncwarp || op == Op::syncthreads || op == Op::barrier_sync || op == Op::barrier_arrive;
}

std::string lanes(std::uint32_t mask)
{
    char text[16];
    std::snprintf(text, sizeof text, "%08x", mask);
    return text;
}

} // namespace

std::uint32_t Block::gather(Op op, std::uint32_t mask, Site site, BarrierCall call)
{
    Lane& self = *current;
    Warp& warp = warps_[self.warp];
    const std::uint32_t me = 1u << self.lane;
    self.op = op;
    self.mask = mask;
    self.site = site;
    if (!(mask & me)) fail("the mask " + lanes(mask) + " does not name the lane that calls", &site);
    if (!forgives_exit(op) && (mask & warp.absent))
        fail("the mask " + lanes(mask) + " names lanes that exited or do not exist: " + lanes(mask & warp.absent),
             &site);

    for (Group& group : warp.groups) {
        if (group.mask != mask) continue;
        if (group.op != op || (op != Op::syncwarp && group.site != site))
            fail("lanes of one warp met at different places: " + std::string(name(group.op)) + " at " +
                     to_text(group.site) + " and " + name(op) + " at " + to_text(site),
                 &site);
        if (group.call.id != call.id || group.call.threads != call.threads)
            fail("lanes of one warp met at different barriers", &site);
        group.arrived |= me;
        if ((group.arrived | warp.absent) != (mask | warp.absent)) {
            wait();
            return 0;
        }
        const std::uint32_t who = group.arrived;
        group = warp.groups.back();
        warp.groups.pop_back();
        return who;
    }
    if ((mask & ~warp.absent) == me) return me;
    warp.groups.push_back({mask, me, op, site, call});
    wait();
    return 0;
}

void Block::meet(Op op, std::uint32_t mask, const void* in, void* out, Site site, Perform perform)
{
    Lane& self = *current;
    self.in = in;
    self.out = out;
    const std::uint32_t who = gather(op, mask, site);
    if (!who) return;
    perform({&lanes_[self.warp * 32], who});
    if (observer) observer->lanes_met(*this, op, self.warp, who, site);
    release(self.warp, who & ~(1u << self.lane));
    self.op = Op::none;
}

void Block::sync_warp(std::uint32_t mask, Site site)
{
    Lane& self = *current;
    const std::uint32_t who = gather(Op::syncwarp, mask, site);
    if (!who) return;
    if ((who | warps_[self.warp].absent) == ~0u) order_.sync_warp(self.warp);
    if (observer) observer->lanes_met(*this, Op::syncwarp, self.warp, who, site);
    release(self.warp, who & ~(1u << self.lane));
    self.op = Op::none;
}

void Block::release(unsigned warp, std::uint32_t lanes)
{
    for (std::uint32_t m = lanes; m; m &= m - 1)
        lanes_[warp * 32 + static_cast<unsigned>(__builtin_ctz(m))].op = Op::none;
    scheduler_.make_ready(warp, lanes);
}

void Block::forget(Lane& exited)
{
    Warp& warp = warps_[exited.warp];
    for (std::size_t i = 0; i < warp.groups.size(); ++i) {
        const Group group = warp.groups[i];
        if (!(group.mask >> exited.lane & 1)) continue;
        if (!forgives_exit(group.op))
            fail("exits while lanes of its warp wait for it: " + std::string(name(group.op)), &group.site);
        if ((group.arrived | warp.absent) != (group.mask | warp.absent)) continue;
        warp.groups.erase(warp.groups.begin() + static_cast<std::ptrdiff_t>(i--));
        if (group.op == Op::syncwarp) {
            order_.sync_warp(exited.warp);
            if (observer) observer->lanes_met(*this, Op::syncwarp, exited.warp, group.arrived, group.site);
            release(exited.warp, group.arrived);
        } else if (arrive(exited.warp, group.arrived, group.call)) {
            open(barriers_[static_cast<std::size_t>(group.call.id)]);
        } else if (!group.call.wait) {
            release(exited.warp, group.arrived);
        }
    }
    if (warp.absent != ~0u) return;
    for (Barrier& barrier : barriers_) // one warp less to wait for
        if (barrier.warps && complete(barrier)) open(barrier);
}

} // namespace headroom::cuda::simt
