// Who watches a block run: the tracer. Plain runs have none.
#pragma once
#include "cuda/executor/simt/site.h"
#include <cstddef>
#include <cstdint>
#include <span>

namespace headroom::cuda::simt {

class Block;
struct Lane;

class Observer {
public:
    virtual ~Observer() = default;
    virtual void block_begins(Block& block) = 0;
    virtual void block_ends(Block& block) = 0;
    virtual void lanes_met(Block& block, Op op, unsigned warp, std::uint32_t lanes, Site site) = 0;
    virtual void barrier_opened(Block& block, std::uint32_t warps) = 0;
    virtual void access(Lane& lane, const void* address, std::size_t bytes, bool writes, Site site) = 0;
    virtual void atomic_access(Lane& lane, const void* address, std::size_t bytes) = 0;
    // A cp.async: `landed` once its thread has waited for it.
    virtual void copy(Lane& lane, const void* to, std::size_t bytes, bool landed, Site site) = 0;
    // Through an mbarrier: what the lane did becomes known to those who wait for it.
    virtual void released(Lane& lane, const void* mbarrier) = 0;
    virtual void acquired(Lane& lane, const void* mbarrier) = 0;
    // The copy engine, started by a lane: rows that it reads, and what it wrote.
    virtual void rows_read(Lane& lane, std::span<const void* const> rows, std::size_t bytes_each, Site site) = 0;
    virtual void copied(Block& block, const void* to, std::size_t bytes) = 0;
};

} // namespace headroom::cuda::simt
