// Which thread of a block runs next. CUDA promises no order, so results must not depend on it: tests run several.
#pragma once
#include <cstdint>
#include <random>
#include <vector>

namespace headroom::cuda::simt {

enum class Schedule : std::uint8_t {
    forward, // warps take turns, from the first to the last
    reverse, // from the last to the first; blocks and lanes too
    ahead,   // the first warp that can run does so as far as it can
    behind,  // the last warp that can run
    random   // any lane of any warp, and blocks in random order
};

class Scheduler {
public:
    Scheduler(Schedule schedule, std::uint64_t seed) : schedule_(schedule), random_(seed) {}

    void clear(unsigned warps);
    void make_ready(unsigned warp, std::uint32_t lanes);
    int pick(); // takes a ready thread; -1: there is none

    bool chance(unsigned one_in) { return random_() % one_in == 0; }
    std::vector<unsigned> block_order(unsigned blocks);

private:
    Schedule schedule_;
    std::mt19937_64 random_;
    std::vector<std::uint32_t> ready_; // [warps] lanes
    std::uint32_t ready_warps_ = 0;
    unsigned warp_ = 0;      // whose turn it is
    std::uint32_t turn_ = 0; // its lanes that have not run in this turn
};

} // namespace headroom::cuda::simt
