// What happened before what, warp by warp: decides whether a barrier stood between a write and a read.
//
//     epoch[w]     counts the synchronisations of all lanes of warp w
//     seen[r][w]   the epoch up to which warp r knows what warp w did
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace headroom::cuda::simt {

class Order {
public:
    using Clock = std::array<std::uint32_t, 32>;

    void clear(unsigned warps)
    {
        epoch_.fill(0);
        seen_.assign(warps, Clock{});
    }
    std::uint32_t now(unsigned warp) const { return epoch_[warp]; }
    bool before(unsigned writer, std::uint32_t then, unsigned reader) const
    {
        return (writer == reader ? epoch_[writer] : seen_[reader][writer]) > then;
    }
    void sync_warp(unsigned warp) { ++epoch_[warp]; }
    void sync_warps(std::uint32_t warps)
    {
        Clock all{};
        each(warps, [&](unsigned w) {
            ++epoch_[w];
            join(all, seen_[w]);
        });
        each(warps, [&](unsigned w) { all[w] = std::max(all[w], epoch_[w]); });
        each(warps, [&](unsigned w) { seen_[w] = all; });
    }
    // Through an mbarrier: what warp w did so far becomes known to whoever acquires the clock.
    void release(unsigned warp, Clock& clock) const
    {
        join(clock, seen_[warp]);
        clock[warp] = std::max(clock[warp], epoch_[warp] + 1);
    }
    void acquire(unsigned warp, const Clock& clock) { join(seen_[warp], clock); }

private:
    static void join(Clock& a, const Clock& b)
    {
        for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::max(a[i], b[i]);
    }
    template <class F> static void each(std::uint32_t warps, F&& f)
    {
        for (; warps; warps &= warps - 1) f(static_cast<unsigned>(__builtin_ctz(warps)));
    }
    Clock epoch_{};
    std::vector<Clock> seen_;
};

} // namespace headroom::cuda::simt
