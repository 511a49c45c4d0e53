#include "cuda/executor/simt/scheduler.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace headroom::cuda::simt {
namespace {

unsigned lowest(std::uint32_t bits) { return static_cast<unsigned>(std::countr_zero(bits)); }
unsigned highest(std::uint32_t bits) { return 31u - static_cast<unsigned>(std::countl_zero(bits)); }

unsigned any_of(std::uint32_t bits, std::mt19937_64& random)
{
    for (auto skip = random() % static_cast<unsigned>(std::popcount(bits)); skip; --skip) bits &= bits - 1;
    return lowest(bits);
}

// The next warp after `warp`, going round.
unsigned next_up(std::uint32_t warps, unsigned warp)
{
    return (warp + 1 + lowest(std::rotr(warps, static_cast<int>(warp + 1)))) % 32;
}
unsigned next_down(std::uint32_t warps, unsigned warp)
{
    return (warp + highest(std::rotr(warps, static_cast<int>(warp)))) % 32;
}

} // namespace

void Scheduler::clear(unsigned warps)
{
    ready_.assign(warps, 0);
    ready_warps_ = 0;
    turn_ = 0;
    warp_ = schedule_ == Schedule::reverse ? 0 : 31;
}

void Scheduler::make_ready(unsigned warp, std::uint32_t lanes)
{
    ready_[warp] |= lanes;
    if (lanes) ready_warps_ |= 1u << warp;
}

int Scheduler::pick()
{
    if (!ready_warps_) return -1;
    unsigned lane = 0;
    switch (schedule_) {
    case Schedule::forward:
    case Schedule::reverse: {
        const bool up = schedule_ == Schedule::forward;
        if (!turn_) {
            warp_ = up ? next_up(ready_warps_, warp_) : next_down(ready_warps_, warp_);
            turn_ = ready_[warp_];
        }
        lane = up ? lowest(turn_) : highest(turn_);
        turn_ &= ~(1u << lane);
        break;
    }
    case Schedule::ahead:
        warp_ = lowest(ready_warps_);
        lane = lowest(ready_[warp_]);
        break;
    case Schedule::behind:
        warp_ = highest(ready_warps_);
        lane = highest(ready_[warp_]);
        break;
    case Schedule::random:
        warp_ = any_of(ready_warps_, random_);
        lane = any_of(ready_[warp_], random_);
        break;
    }
    ready_[warp_] &= ~(1u << lane);
    if (!ready_[warp_]) ready_warps_ &= ~(1u << warp_);
    return static_cast<int>(warp_ * 32 + lane);
}

std::vector<unsigned> Scheduler::block_order(unsigned blocks)
{
    std::vector<unsigned> order(blocks);
    std::iota(order.begin(), order.end(), 0u);
    if (schedule_ == Schedule::reverse || schedule_ == Schedule::behind) std::reverse(order.begin(), order.end());
    if (schedule_ == Schedule::random)
        for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_() % i]);
    return order;
}

} // namespace headroom::cuda::simt
