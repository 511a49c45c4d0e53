#include "cuda/executor/simt/mbarriers.h"

#include "cuda/executor/simt/access.h"
#include "cuda/executor/simt/block.h"
#include "cuda/executor/simt/observer.h"

#include <fmt/format.h>

namespace headroom::cuda::simt {
namespace {

constexpr std::uint64_t mark = 0x6d62617272696572; // "mbarrier"

} // namespace

void MBarriers::clear()
{
    states_.clear();
    waiters_.clear();
    copies_.clear();
}

MBarriers::State& MBarriers::find(std::uint64_t* address, Site site)
{
    for (State& state : states_) {
        if (state.address != address) continue;
        if (*address != mark) block_.fail("an mbarrier was overwritten: " + block_.shared().describe(address), &site);
        return state;
    }
    block_.fail("an mbarrier is used that was not initialised", &site);
}

void MBarriers::init(std::uint64_t* address, int count, Site site)
{
    check_access(address, 8, 8, Access::shared_write, site);
    if (count < 1) block_.fail("an mbarrier that waits for no arrival", &site);
    *address = mark;
    const State fresh{address, count, count, 0, 0, {}};
    for (State& state : states_)
        if (state.address == address) {
            state = fresh;
            return;
        }
    states_.push_back(fresh);
}

void MBarriers::arrive(std::uint64_t* address, int bytes, Site site)
{
    State& state = find(address, site);
    if (state.pending == 0)
        block_.fail(
            fmt::format("more arrivals at an mbarrier than its {}: {}", state.count, block_.shared().describe(address)),
            &site);
    --state.pending;
    state.bytes += bytes;
    block_.order().release(current->warp, state.clock);
    if (block_.observer) block_.observer->released(*current, address);
    advance(state);
}

void MBarriers::wait(std::uint64_t* address, int parity, Site site)
{
    const unsigned wanted = static_cast<unsigned>(parity) & 1;
    State& state = find(address, site);
    if ((state.phase & 1) == wanted) {
        current->op = Op::mbarrier_wait;
        current->site = site;
        waiters_.push_back({address, wanted, current});
        block_.wait();
    }
    block_.order().acquire(current->warp, find(address, site).clock);
    if (block_.observer) block_.observer->acquired(*current, address);
}

void MBarriers::advance(State& state)
{
    if (state.pending != 0 || state.bytes != 0) return;
    ++state.phase;
    state.pending = state.count;
    std::erase_if(waiters_, [&](const Waiter& waiter) {
        if (waiter.address != state.address || waiter.parity == (state.phase & 1)) return false;
        block_.make_ready(*waiter.lane);
        return true;
    });
}

void MBarriers::copy(std::uint64_t* address, const void* to, int bytes, std::function<void()> perform, Site site)
{
    find(address, site);
    copies_.push_back({address, to, bytes, std::move(perform)});
    if (eager_) land_one();
}

bool MBarriers::land_one()
{
    if (copies_.empty()) return false;
    const Copy copy = std::move(copies_.front());
    copies_.pop_front();
    copy.perform();
    if (block_.observer) block_.observer->copied(block_, copy.to, static_cast<std::size_t>(copy.bytes));
    for (State& state : states_) {
        if (state.address != copy.address) continue;
        state.bytes -= copy.bytes;
        advance(state);
    }
    return true;
}

} // namespace headroom::cuda::simt
