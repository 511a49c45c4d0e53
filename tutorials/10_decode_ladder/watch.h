// Watches a kernel run on the simt executor: what whole warps do together, and what is under way.
#pragma once
#include "cuda/executor/simt/block.h"
#include "cuda/executor/simt/observer.h"
#include <algorithm>
#include <map>

struct Watch : headroom::cuda::simt::Observer {
    using Block = headroom::cuda::simt::Block;
    using Lane = headroom::cuda::simt::Lane;
    using Site = headroom::cuda::simt::Site;

    std::map<headroom::cuda::simt::Op, int> together; // shuffles, products, … of whole warps
    long under_way = 0;                               // bytes of asynchronous copies, the most of any block

    void lanes_met(Block&, headroom::cuda::simt::Op op, unsigned, std::uint32_t, Site) override { ++together[op]; }

    // What each thread has under way, at most, summed over a block: nothing keeps all from having it at once.
    void block_begins(Block&) override { now_.clear(), most_.clear(); }
    void block_ends(Block&) override
    {
        long all = 0;
        for (const auto& [thread, bytes] : most_) all += bytes;
        under_way = std::max(under_way, all);
    }
    void copy(Lane& lane, const void*, std::size_t bytes, bool landed, Site) override
    {
        count(lane.thread, landed ? -long(bytes) : long(bytes));
    }
    void rows_read(Lane& lane, std::span<const void* const> rows, std::size_t bytes, Site) override
    {
        engine_ = lane.thread; // it asks the copy engine for a whole box
        count(engine_, long(rows.size() * bytes));
    }
    void copied(Block&, const void*, std::size_t bytes) override { count(engine_, -long(bytes)); }

    void barrier_opened(Block&, std::uint32_t) override {}
    void access(Lane&, const void*, std::size_t, bool, Site) override {}
    void atomic_access(Lane&, const void*, std::size_t) override {}
    void released(Lane&, const void*) override {}
    void acquired(Lane&, const void*) override {}

private:
    void count(unsigned thread, long bytes) { most_[thread] = std::max(most_[thread], now_[thread] += bytes); }
    std::map<unsigned, long> now_, most_;
    unsigned engine_ = 0;
};
