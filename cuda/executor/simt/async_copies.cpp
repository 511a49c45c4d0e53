#include "cuda/executor/simt/async_copies.h"

#include "cuda/executor/simt/block.h"
#include "cuda/executor/simt/observer.h"

#include <cstring>
#include <fmt/format.h>

namespace headroom::cuda::simt {

void AsyncCopies::clear(unsigned threads)
{
    ++block_;
    if (used_ || threads_.size() != threads) threads_.assign(threads, {});
    used_ = false;
}

void AsyncCopies::perform(const Copy& copy)
{
    if (copy.wanted)
        std::memcpy(copy.to, copy.from, copy.bytes);
    else
        std::memset(copy.to, 0, copy.bytes);
}

void AsyncCopies::mark(Lane& lane, const Copy& copy, bool landed)
{
    Block& block = *lane.block;
    cells_[block.shared().offset(copy.to) / cell_bytes] = {block_, block.order().now(lane.warp),
                                                           static_cast<std::uint16_t>(lane.thread), landed};
    if (block.observer) block.observer->copy(lane, copy.to, copy.bytes, landed, lane.site);
}

void AsyncCopies::issue(Lane& lane, const Copy& copy, Site site)
{
    Block& block = *lane.block;
    if (reinterpret_cast<std::uintptr_t>(copy.to) % copy.bytes) block.fail("cp.async: misaligned destination", &site);
    if (!block.shared().holds(copy.to, copy.bytes))
        block.fail("cp.async out of bounds: " + block.shared().describe(copy.to), &site);
    used_ = true;
    lane.site = site;
    mark(lane, copy, false);
    if (eager_) perform(copy);
    Thread& thread = threads_[lane.thread];
    thread.pending.push_back({copy, thread.groups});
}

void AsyncCopies::wait(Lane& lane, unsigned newest, Site site)
{
    Thread& thread = threads_[lane.thread];
    lane.site = site;
    std::size_t done = 0;
    for (; done < thread.pending.size() && thread.pending[done].group + newest < thread.groups; ++done) {
        const Copy& copy = thread.pending[done].copy;
        if (!eager_) perform(copy);
        mark(lane, copy, true);
    }
    thread.pending.erase(thread.pending.begin(), thread.pending.begin() + static_cast<std::ptrdiff_t>(done));
}

void AsyncCopies::check_read(Lane& lane, const void* address, std::size_t bytes, Site site)
{
    if (!used_) return;
    Block& block = *lane.block;
    const std::size_t first = block.shared().offset(address) / cell_bytes;
    const std::size_t last = (block.shared().offset(address) + bytes - 1) / cell_bytes;
    for (std::size_t i = first; i <= last; ++i) {
        const Cell& cell = cells_[i];
        if (cell.block != block_) continue;
        if (!cell.landed)
            block.fail(fmt::format("race: {} is read while a cp.async of thread {} may still write it",
                                   block.shared().describe(address), cell.thread),
                       &site);
        if (cell.thread != lane.thread && !block.order().before(cell.thread / 32u, cell.epoch, lane.warp))
            block.fail(fmt::format("race: {} was brought by a cp.async of thread {}, and no barrier followed its wait",
                                   block.shared().describe(address), cell.thread),
                       &site);
    }
}

} // namespace headroom::cuda::simt
