// Runs a function of PTX for a grid: its blocks one after the other, in each block its warps in turns.
#pragma once
#include "cuda/executor/host_memory.h"
#include "cuda/executor/ptx/warp.h"
#include <span>

namespace headroom::cuda::ptx {

enum class Space : u8 { generic, global, shared, parameter, local };

class Machine {
public:
    // Generic addresses of shared memory and parameters start here; all others are addresses of the host.
    static constexpr u64 shared_window = u64{1} << 60, parameter_window = u64{1} << 61, local_window = u64{1} << 62;

    Machine(const Function& function, const HostMemory& memory);
    void run(const LaunchShape& shape, std::span<const std::byte> parameters); // throws Fault

    // --- for instructions ---
    // Where `bytes` bytes at an address lie; throws Fault where that is out of bounds or misaligned.
    std::byte* memory(Space space, u64 address, u32 bytes, Warp& warp, const Instruction& at, u32 lane);
    [[noreturn]] void fail(const Warp& warp, const Instruction& at, u32 lane, const std::string& what) const;
    struct Copy {
        std::byte* to;
        const std::byte* from;
        u32 bytes, zeroes, group;
    };
    struct Copies { // cp.async, of one thread; they land at the wait
        std::vector<Copy> pending;
        u32 groups = 0;
    };
    Copies& copies(const Warp& warp, u32 lane) { return copies_[warp.number * 32 + lane]; }

private:
    void run_block(Dim index);
    void start(Dim index);
    bool step(Warp& warp); // false: no lane of it can run
    void meet(Warp& warp, u32 pc, u32 arrived);
    void left(Warp& warp); // lanes ended: those that wait for them may go on
    void arrive_at_barrier(Warp& warp, u32 pc);
    void open_barriers();
    void advance(Warp& warp, u32 lanes, u32 pc);
    u64 special(Special which, const Warp& warp, u32 lane) const;
    std::string place(const Instruction& at) const;
    std::string who_waits_where() const;

    struct Barrier {
        u32 expected = 0, arrived = 0, warps = 0, waiting = 0; // threads, threads, masks of warps
    };

    const Function& function_;
    const HostMemory& memory_;
    const HostMemory::Block* recent_ = nullptr; // the buffer that was read last
    const std::byte* recent_begin_ = nullptr;
    LaunchShape shape_;
    Dim index_;
    u32 threads_ = 0;
    std::vector<std::byte> parameters_, shared_, registers_, local_;
    std::vector<Warp> warps_;
    std::vector<Copies> copies_;
    std::array<Barrier, 16> barriers_;
};

} // namespace headroom::cuda::ptx
