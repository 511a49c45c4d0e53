// The state of one warp: registers, and for each lane where it is. Lanes may part at a branch; those at the lowest
// instruction run first, until they meet again.
#pragma once
#include "cuda/executor/ptx/instruction.h"
#include <cstring>

namespace headroom::cuda::ptx {

class Machine;

class Warp {
public:
    template <class T> T get(u32 r, u32 lane) const
    {
        return from_slot<T>(reinterpret_cast<const Slot<T>*>(registers + r)[lane]);
    }
    template <class T> void set(u32 r, u32 lane, T value)
    {
        reinterpret_cast<Slot<T>*>(registers + r)[lane] = to_slot(value);
    }
    u32& predicate(u32 r) { return *reinterpret_cast<u32*>(registers + r); }

    Machine* machine = nullptr;
    std::byte* registers = nullptr;
    u32 number = 0;   // in the block
    u32 existing = 0; // lanes
    u32 running = 0, waiting = 0, at_barrier = 0;
    std::array<u32, 32> pc = {};
    bool together = true; // all running lanes are at pc[first of them]

    u32 alive() const { return running | waiting | at_barrier; }
};

template <class F> void each_lane(u32 lanes, F&& f)
{
    if (lanes == ~0u)
        for (u32 lane = 0; lane < 32; ++lane) f(lane);
    else
        for (; lanes; lanes &= lanes - 1) f(static_cast<u32>(std::countr_zero(lanes)));
}

} // namespace headroom::cuda::ptx
