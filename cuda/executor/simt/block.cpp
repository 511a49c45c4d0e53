#include "cuda/executor/simt/block.h"

#include "cuda/executor/simt/observer.h"

#include <cstdlib>

namespace headroom::cuda::simt {

constinit thread_local Lane* current = nullptr;

Block::Block(const HostMemory& memory, const Options& options)
    : memory_(memory), options_(options), scheduler_(options.schedule, options.seed),
      async_(options.copies == Copies::eager), mbarriers_(*this, options.copies == Copies::eager),
      products_(options.copies == Copies::eager)
{}

Block::~Block() = default;

void Block::run(const KernelName& kernel, const LaunchShape& shape, Dim index, const void* params)
{
    kernel_ = kernel;
    shape_ = shape;
    index_ = index;
    start(params);

    Lane& first = lanes_[static_cast<std::size_t>(scheduler_.pick())];
    current = &first;
    switch_fiber(host_, first.fiber, options_.fiber_switch);
    current = nullptr;
    if (observer) observer->block_ends(*this);
    if (!fault_.empty()) throw Fault(fault_);
    if (!mbarriers_.idle()) throw Fault(std::string(kernel_.name) + ": the block ended before a bulk copy had landed");
    if (const std::string wrong = products_.unfinished(); !wrong.empty())
        throw Fault(std::string(kernel_.name) + ": " + wrong);
}

void Block::start(const void* params)
{
    params_ = params;
    const Dim size = shape_.block;
    threads_ = live_ = size.x * size.y * size.z;
    const unsigned warps = (threads_ + 31) / 32;
    fault_.clear();
    host_.stack = nullptr;
    stacks_.reserve(threads_);
    shared_.clear(shape_.dynamic_shared);
    order_.clear(warps);
    async_.clear(threads_);
    mbarriers_.clear();
    products_.clear(warps);
    scheduler_.clear(warps);
    barriers_.fill({});
    warps_.resize(warps);
    while (lanes_.size() < threads_) lanes_.emplace_back();

    for (Warp& warp : warps_) {
        warp.absent = 0;
        warp.groups.clear();
    }
    if (threads_ % 32) warps_.back().absent = ~0u << (threads_ % 32);
    for (unsigned thread = 0; thread < threads_; ++thread) {
        Lane& lane = lanes_[thread];
        lane.index = {thread % size.x, thread / size.x % size.y, thread / (size.x * size.y)};
        lane.thread = thread;
        lane.warp = thread / 32;
        lane.lane = thread % 32;
        lane.block = this;
        lane.exited = false;
        lane.op = Op::none;
        stacks_.assign(lane.fiber, thread);
        prepare(lane.fiber, &Block::fiber_main, &lane, options_.fiber_switch);
        scheduler_.make_ready(lane.warp, 1u << lane.lane);
    }
    if (observer) observer->block_begins(*this);
}

void Block::fiber_main(void* argument)
{
    Lane& lane = *static_cast<Lane*>(argument);
    Block& block = *lane.block;
    entered_from(block.host_);
    try {
        block.kernel_.host(block.params_);
        block.exit(lane);
    } catch (const Failed&) {
    } catch (const std::exception& e) {
        block.describe_fault(std::string("the kernel threw: ") + e.what());
    } catch (...) {
        block.describe_fault("the kernel threw something that is no std::exception");
    }
    if (!block.fault_.empty()) switch_fiber(lane.fiber, block.host_, block.options_.fiber_switch, true);
    block.leave(true);
    std::abort(); // not reached
}

void Block::exit(Lane& lane)
{
    if (!async_.idle(lane)) fail("exits with cp.async copies that it never waited for");
    lane.exited = true;
    --live_;
    warps_[lane.warp].absent |= 1u << lane.lane;
    forget(lane);
}

void Block::wait() { leave(false); }

void Block::make_ready(Lane& lane)
{
    lane.op = Op::none;
    scheduler_.make_ready(lane.warp, 1u << lane.lane);
}

void Block::leave(bool for_good)
{
    Lane& self = *current;
    if (options_.schedule == Schedule::random && !mbarriers_.idle() && scheduler_.chance(8)) mbarriers_.land_one();
    int next = scheduler_.pick();
    while (next < 0 && mbarriers_.land_one()) next = scheduler_.pick();
    if (next < 0) {
        if (live_ > 0) fault_ = std::string(kernel_.name) + ": deadlock, no thread can go on" + who_waits_where();
        switch_fiber(self.fiber, host_, options_.fiber_switch, true);
    }
    Lane& to = lanes_[static_cast<std::size_t>(next)];
    if (&to == &self) return;
    current = &to;
    switch_fiber(self.fiber, to.fiber, options_.fiber_switch, for_good);
}

} // namespace headroom::cuda::simt
