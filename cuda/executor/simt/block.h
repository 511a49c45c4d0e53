// One thread block on the host: its threads as fibers, their meetings, barriers, shared memory and copies.
//
// A thread that must wait is suspended; the last to arrive does the work for all, through pointers into the suspended
// threads' live stacks, and makes them ready. When no thread is ready and no copy is under way, that is a deadlock.
#pragma once
#include "cuda/executor/fault.h"
#include "cuda/executor/host_memory.h"
#include "cuda/executor/simt/async_copies.h"
#include "cuda/executor/simt/lane.h"
#include "cuda/executor/simt/mbarriers.h"
#include "cuda/executor/simt/order.h"
#include "cuda/executor/simt/products.h"
#include "cuda/executor/simt/scheduler.h"
#include "cuda/executor/simt/shared_memory.h"
#include "cuda/executor/simt/stacks.h"
#include <array>
#include <exception>
#include <string>

namespace headroom::cuda::simt {

class Observer;

enum class Copies { lazy, eager }; // an asynchronous copy lands as late, or as early, as the rules allow

struct Options {
    Schedule schedule = Schedule::forward;
    std::uint64_t seed = 0;
    Copies copies = Copies::lazy;
    SwitchKind fiber_switch = best_switch();
};

// Lanes of one warp that met: `who` of the 32 at `lanes`.
struct Meeting {
    Lane* lanes;
    std::uint32_t who;

    bool has(unsigned lane) const { return who >> lane & 1; }
    template <class T> const T& in(unsigned lane) const { return *static_cast<const T*>(lanes[lane].in); }
    template <class T> T& out(unsigned lane) const { return *static_cast<T*>(lanes[lane].out); }
    template <class F> void each(F&& f) const
    {
        for (std::uint32_t m = who; m; m &= m - 1) f(static_cast<unsigned>(__builtin_ctz(m)));
    }
};
using Perform = void (*)(const Meeting&);

class Block {
public:
    Block(const HostMemory& memory, const Options& options);
    ~Block();

    // Runs all threads of one block to their end; throws Fault.
    void run(const KernelName& kernel, const LaunchShape& shape, Dim index, const void* params);
    Scheduler& scheduler() { return scheduler_; }

    // --- for primitives: called on the fiber of `current` ---
    // Waits until all lanes in `mask` are here; `perform` is called once.
    void meet(Op op, std::uint32_t mask, const void* in, void* out, Site site, Perform perform);
    void sync_warp(std::uint32_t mask, Site site);
    void sync_threads(Site site);
    void barrier(int id, unsigned threads, bool wait, Site site);
    void wait(); // suspends the current thread, which somebody else will make ready
    void make_ready(Lane& lane);
    [[noreturn]] void fail(const std::string& what, const Site* site = nullptr);

    const LaunchShape& shape() const { return shape_; }
    Dim index() const { return index_; }
    const Options& options() const { return options_; }
    SharedMemory& shared() { return shared_; }
    const HostMemory& memory() const { return memory_; }
    Order& order() { return order_; }
    AsyncCopies& async() { return async_; }
    MBarriers& mbarriers() { return mbarriers_; }
    Products& products() { return products_; }
    Lane& lane(unsigned thread) { return lanes_[thread]; }
    unsigned threads() const { return threads_; }

    Observer* observer = nullptr;

private:
    struct BarrierCall {
        int id;
        unsigned threads; // 0: all of the block
        bool wait;        // or only arrive
    };
    struct Group { // lanes of a warp that wait for each other
        std::uint32_t mask, arrived;
        Op op;
        Site site;
        BarrierCall call;
    };
    struct Warp {
        std::uint32_t absent = 0; // lanes that exited or never existed
        std::vector<Group> groups;
    };
    struct Barrier {
        unsigned expected = 0, arrived = 0;    // threads; whole warps count, as in hardware
        std::uint32_t warps = 0;               // that arrived
        std::array<std::uint32_t, 32> waiting; // [warps] their lanes
    };

    struct Failed {}; // unwinds the thread that failed; fault_ says what happened
    static void fiber_main(void* lane);
    void start(const void* params);
    void exit(Lane& lane);
    void leave(bool for_good);

    // meetings.cpp. gather: the lanes that met, for the one that completes the group; 0: it waited.
    std::uint32_t gather(Op op, std::uint32_t mask, Site site, BarrierCall call = {});
    void forget(Lane& exited); // groups that waited for it may be complete now
    void release(unsigned warp, std::uint32_t lanes);

    // barriers.cpp
    void sync_block(Op op, BarrierCall call, Site site);
    bool arrive(unsigned warp, std::uint32_t lanes, BarrierCall call); // true: it opened
    bool complete(const Barrier& barrier) const;
    void open(Barrier& barrier);
    unsigned live_warps() const;

    void describe_fault(const std::string& what, const Site* site = nullptr);
    std::string who_waits_where() const;

    const HostMemory& memory_;
    Options options_;
    Scheduler scheduler_;
    Stacks stacks_;
    SharedMemory shared_;
    Order order_;
    AsyncCopies async_;
    MBarriers mbarriers_;
    Products products_;
    std::vector<Lane> lanes_;
    std::vector<Warp> warps_;
    std::array<Barrier, 16> barriers_;
    Fiber host_; // the thread that called run

    KernelName kernel_;
    LaunchShape shape_;
    Dim index_;
    const void* params_ = nullptr;
    unsigned threads_ = 0, live_ = 0;
    std::string fault_;
};

} // namespace headroom::cuda::simt
