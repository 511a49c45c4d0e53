// What happened before what, thread by thread: vector clocks. Two accesses race when neither thread knows of the other's.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace headroom::cuda::tracer {

class Clocks {
public:
    void clear(std::size_t threads)
    {
        known_.assign(threads, std::vector<std::uint32_t>(threads, 0));
        time_.assign(threads, 1);
        released_.clear();
    }
    std::uint32_t now(unsigned thread) const { return time_[thread]; }
    bool before(unsigned writer, std::uint32_t then, unsigned reader) const
    {
        return writer == reader || known_[reader][writer] >= then;
    }
    // A barrier: all learn what each has done so far.
    void synchronise(const std::vector<unsigned>& threads)
    {
        std::vector<std::uint32_t> all(time_.size(), 0);
        for (const unsigned t : threads) {
            join(all, known_[t]);
            all[t] = std::max(all[t], time_[t]);
        }
        for (const unsigned t : threads) {
            known_[t] = all;
            ++time_[t];
        }
    }
    void release(unsigned thread, const void* mbarrier)
    {
        auto& clock = released_[mbarrier];
        clock.resize(time_.size(), 0);
        join(clock, known_[thread]);
        clock[thread] = std::max(clock[thread], time_[thread]++);
    }
    void acquire(unsigned thread, const void* mbarrier)
    {
        if (const auto it = released_.find(mbarrier); it != released_.end()) join(known_[thread], it->second);
    }

private:
    static void join(std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b)
    {
        for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::max(a[i], b[i]);
    }
    std::vector<std::vector<std::uint32_t>> known_; // [thread][other]: up to which time
    std::vector<std::uint32_t> time_;
    std::map<const void*, std::vector<std::uint32_t>> released_;
};

} // namespace headroom::cuda::tracer
