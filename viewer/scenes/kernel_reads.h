// Who read which bytes of K until a moment: the tracer's events laid over the rows of one KV head.
#pragma once
#include "viewer/scenes/scene.h"

namespace headroom {

struct KernelChoice { // what the reader looks at
    std::size_t kernel = 0;
    Index kv_head = 0, in_group = 0; // in_group: which of the query heads that share it
    Moment now;
};
KernelChoice kernel_choice(const Recording& recording, const View& view);

// What is the same at every moment of a traced step: an Overview keeps it, so that a moment only replays reads of K.
struct KernelTotals { // of all launches and blocks
    Index requests = 0, sectors = 0, bytes_moved = 0, conflicts = 0, wavefronts = 0;
    double sector_use = 0; // of the recorded events: the least number of sectors over the sectors that were moved
};
struct BlockBytes { // of K and V, over all launches
    std::uint32_t block = 0;
    Index k = 0, v = 0;
};
struct KernelIndex {
    struct Read { // of one lane
        std::uint32_t event;
        std::int32_t block;
        std::int32_t key, unit, units; // units [unit, unit + units) of the key's row
        std::uint16_t warp;
        std::uint8_t lane;
    };
    Index keys = 0, units = 0, unit_bytes = 0, row_bytes = 0;
    std::vector<std::vector<Read>> reads; // [Hkv], of the first sequence, in the order of the events
    std::vector<BlockBytes> blocks;
    KernelTotals totals;
};
KernelIndex kernel_index(const TracedStep& step);
std::shared_ptr<const KernelIndex>
kernel_index(const Recording& recording, const View& view,
             std::size_t kernel); // the view's overview's, if it is of this recording

struct Touch { // a unit of bytes that one lane reads at once
    std::int32_t times = 0;
    std::int32_t block = -1, warp = -1, lane = -1; // who read it last
    bool now = false;                              // in the step that is shown
};
struct KernelReads {
    Index keys = 0, units = 0, unit_bytes = 0, row_bytes = 0;
    std::vector<Touch> touches; // [keys, units]
    std::vector<Index> row;     // [keys] where in the buffer each row begins
    std::size_t events_until_now = 0;
    bool is_recorded = false; // events of this head were kept
    const Touch& at(Index key, Index unit) const { return touches[static_cast<std::size_t>(key * units + unit)]; }
    // A 128-byte line of memory begins at this unit.
    bool begins_line(Index key, Index unit) const
    {
        return (row[static_cast<std::size_t>(key)] + unit * unit_bytes) % 128 == 0;
    }
};
KernelReads reads_of_k(const TracedStep& step, const KernelIndex& index, const KernelChoice& choice, std::size_t steps);

// The timeline: every event of the blocks that were recorded, in order, in at most so many steps.
constexpr std::size_t most_kernel_steps = 240;
std::size_t event_count(const TracedStep& step);

} // namespace headroom
