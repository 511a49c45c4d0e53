// The blocks of a pool, by number: who is free, who is used how often. Knows nothing of bytes or tokens.
#pragma once
#include "reference/tensor/tensor.h"

namespace headroom {

// The free blocks wait in a queue: the one freed longest ago is taken first, so that what a freed block holds stays
// readable as long as possible. No call allocates.
class BlockPool {
public:
    explicit BlockPool(Index blocks);

    Index size() const { return static_cast<Index>(references_.size()); }
    Index free_blocks() const { return free_; }
    Index shared_blocks() const; // used more than once
    Index references(Index block) const { return references_[static_cast<std::size_t>(block)]; }

    Index take() noexcept;            // used once; at least one must be free
    void share(Index block) noexcept; // used once more; a free one leaves the queue
    void release(Index block) noexcept;

private:
    void unlink(Index block) noexcept;
    std::vector<Index> references_, next_, previous_; // a ring through the queue; entry size() is its head
    Index free_ = 0;
};

} // namespace headroom
