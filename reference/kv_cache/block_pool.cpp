#include "reference/kv_cache/block_pool.h"

#include <algorithm>

namespace headroom {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

} // namespace

BlockPool::BlockPool(Index blocks)
    : references_(at(blocks), 0), next_(at(blocks) + 1), previous_(at(blocks) + 1), free_(blocks)
{
    for (Index i = 0; i <= blocks; ++i) {
        next_[at(i)] = i == blocks ? 0 : i + 1;
        previous_[at(i)] = i == 0 ? blocks : i - 1;
    }
}

Index BlockPool::shared_blocks() const
{
    return std::ranges::count_if(references_, [](Index count) { return count > 1; });
}

void BlockPool::unlink(Index block) noexcept
{
    next_[at(previous_[at(block)])] = next_[at(block)];
    previous_[at(next_[at(block)])] = previous_[at(block)];
    --free_;
}

Index BlockPool::take() noexcept
{
    assert(free_ > 0);
    const Index block = next_.back();
    share(block);
    return block;
}

void BlockPool::share(Index block) noexcept
{
    if (references_[at(block)]++ == 0) unlink(block);
}

void BlockPool::release(Index block) noexcept
{
    assert(references_[at(block)] > 0);
    if (--references_[at(block)] > 0) return;
    const Index head = size(), last = previous_[at(head)];
    next_[at(last)] = previous_[at(head)] = block;
    previous_[at(block)] = last;
    next_[at(block)] = head;
    ++free_;
}

} // namespace headroom
