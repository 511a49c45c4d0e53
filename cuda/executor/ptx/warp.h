// The state of one warp: registers, and for each lane where it is. Lanes may part at a branch; those at the lowest
// instruction run first, until they meet again.
#pragma once
#include "cuda/executor/ptx/instruction.h"
#include <cstring>

namespace headroom::cuda::ptx {

class Machine;

class Warp {
public:
    // A register is a row of 32 words, one per lane; a 64-bit one has a second row, of upper halves. So an instruction
    // of a narrower type reads the lower half of a wide register, as PTX allows.
    template <class T> T get(u32 r, u32 lane) const
    {
        const u32* words = reinterpret_cast<const u32*>(registers + r);
        if constexpr (sizeof(T) == 8)
            return std::bit_cast<T>(words[lane] | u64{words[32 + lane]} << 32);
        else
            return from_word<T>(words[lane]);
    }
    template <class T> void set(u32 r, u32 lane, T value)
    {
        u32* words = reinterpret_cast<u32*>(registers + r);
        if constexpr (sizeof(T) == 8) {
            words[lane] = static_cast<u32>(std::bit_cast<u64>(value));
            words[32 + lane] = static_cast<u32>(std::bit_cast<u64>(value) >> 32);
        } else
            words[lane] = to_word(value);
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
