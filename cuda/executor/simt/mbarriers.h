// The mbarriers of a block, and the copies of the copy engine that count at them. Their state is kept here; the eight
// bytes in shared memory hold a mark.
#pragma once
#include "cuda/executor/simt/lane.h"
#include "cuda/executor/simt/order.h"
#include <deque>
#include <functional>
#include <vector>

namespace headroom::cuda::simt {

class MBarriers {
public:
    MBarriers(Block& block, bool eager) : block_(block), eager_(eager) {}
    void clear();

    void init(std::uint64_t* address, int count, Site site);
    void arrive(std::uint64_t* address, int bytes_to_expect, Site site);
    void wait(std::uint64_t* address, int parity, Site site);
    void copy(std::uint64_t* address, const void* to, int bytes, std::function<void()> perform, Site site);

    bool land_one(); // the oldest copy under way; false: there is none
    bool idle() const { return copies_.empty(); }

private:
    struct State {
        std::uint64_t* address;
        int count, pending; // arrivals of a phase, and still to come in this one
        std::int64_t bytes; // to come; negative where a copy was faster than the announcement
        unsigned phase;
        Order::Clock clock;
    };
    struct Waiter {
        std::uint64_t* address;
        unsigned parity;
        Lane* lane;
    };
    struct Copy {
        std::uint64_t* address;
        const void* to;
        int bytes;
        std::function<void()> perform;
    };
    State& find(std::uint64_t* address, Site site);
    void advance(State& state); // to the next phase, if this one is complete

    Block& block_;
    bool eager_;
    std::vector<State> states_;
    std::vector<Waiter> waiters_;
    std::deque<Copy> copies_;
};

} // namespace headroom::cuda::simt
