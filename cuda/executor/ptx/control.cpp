// Branches, ends, barriers; fences and hints, which have nothing to do where one lane runs at a time.
#include "cuda/executor/ptx/barriers.h"
#include "cuda/executor/ptx/decode.h"
#include "cuda/executor/ptx/machine.h"
#include "cuda/executor/ptx/meetings.h"

namespace headroom::cuda::ptx {
namespace {

void nothing(Warp&, const Instruction&, u32) {}
void trap(Warp& w, const Instruction& i, u32 lanes)
{
    w.machine->fail(w, i, static_cast<u32>(std::countr_zero(lanes)), "trap");
}

Decoder flow(Flow flow, Run run = nothing)
{
    return [=](const Statement&, Scope&) {
        Instruction i;
        i.flow = flow;
        i.run = run;
        return i;
    };
}

Instruction barrier(const Statement& s, Scope& scope)
{
    Instruction i;
    if (s.has("warp")) {
        i.flow = Flow::meeting;
        i.run = sync_lanes;
        i.mask = scope.source(s.operands.at(0), 32);
        return i;
    }
    i.flow = Flow::barrier;
    i.run = s.has("sync") ? barrier_sync : s.has("arrive") ? barrier_arrive : nullptr;
    if (!i.run || s.operands.empty() || s.operands.size() > 2) unknown(s);
    i.operands = static_cast<u8>(s.operands.size());
    for (std::size_t n = 0; n < s.operands.size(); ++n) i.r[n] = scope.source(s.operands[n], 32);
    return i;
}

} // namespace

void sync_lanes(Warp&, const Instruction&, u32) {}

void add_control(Table& table)
{
    table["bra"] = flow(Flow::branch);
    table["ret"] = table["exit"] = flow(Flow::leave);
    table["trap"] = flow(Flow::next, trap);
    table["bar"] = table["barrier"] = barrier;
    for (const char* harmless : {"membar", "fence", "prefetch", "prefetchu", "nanosleep", "discard"})
        table[harmless] = flow(Flow::next);
}

} // namespace headroom::cuda::ptx
