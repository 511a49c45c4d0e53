// How rows are read from memory as fast as it gives them, while they are multiplied (measured: experiments/README.md).
//
//   - Row by row, in a loop whose body reads at most 1 KB: the processor's prefetcher knows a load by its instruction, and
//     does not follow steps of 2 KB. Hence ROLLED.
//   - Each number is loaded once and then stays in a register; addresses are counted on, not loaded. A load that waits for
//     memory takes a place that the loads of the next rows need. Hence in_register, add_product and RowWalk.
//   - Little else in the loop: what is kept of a row moves from register to register, and is stored with four of them.
//   - Rows some kilobytes on are asked for meanwhile, evenly: what is asked for in a burst is forgotten.
#pragma once
#include "reference/parallel/kernels/vectors.h"

namespace headroom::parallel {
namespace {

constexpr Index line = 64; // bytes that come into the cache together

INLINE bool begins_a_line(Index column, Index bytes) { return column * bytes % line < LANES * bytes; }

// How rows lie: evenly, and so near that what is fetched meanwhile finds room in L1; evenly, but far apart, so that in L1
// many of them would want the same few places, and L2 is where they go; or anyhow.
enum class Spacing { near, far, anyhow };
constexpr Index near_bytes = 16384;
INLINE bool are_near(const StoredRows& rows) { return rows.ahead * rows.stride <= near_bytes; }

template <Spacing lie = Spacing::near> INLINE void fetch(const void* row, Index byte)
{
    __builtin_prefetch(static_cast<const char*>(row) + byte, 0, lie == Spacing::near ? 3 : 2);
}

// From stored row j on; unless they lie anyhow, to the end of its four and not beyond.
template <bool fetches, Spacing lie> class RowWalk {
public:
    RowWalk(const StoredRows& rows, Index j) : stride_(rows.stride), ahead_(rows.ahead)
    {
        if (lie != Spacing::anyhow && rows.first) {
            row_ = static_cast<const char*>(rows.first) + j * stride_;
            soon_ = row_ + ahead_ * stride_;
        } else {
            at_ = rows.row + j;
            look_up();
        }
    }
    __attribute__((always_inline)) const char* row() const { return row_; }
    __attribute__((always_inline)) const char* soon() const { return soon_; }
    __attribute__((always_inline)) void step()
    {
        if constexpr (lie != Spacing::anyhow) {
            row_ += stride_;
            if (fetches) soon_ += stride_;
        } else {
            ++at_;
            look_up();
        }
    }

private:
    __attribute__((always_inline)) void look_up()
    {
        row_ = static_cast<const char*>(at_[0]);
        soon_ = fetches ? static_cast<const char*>(at_[ahead_]) : nullptr;
    }

    const void* const* at_ = nullptr;
    const char *row_, *soon_;
    Index stride_, ahead_;
};

// The lines of rows that are wanted soon, one with each step.
class Fetching {
public:
    explicit Fetching(const Ahead& ahead) : row_(ahead.row), last_(ahead.row + ahead.rows), bytes_(ahead.bytes)
    {
        if (row_ != last_) begin_row();
    }
    __attribute__((always_inline)) void step()
    {
        if (at_ >= end_) return;
        fetch(at_, 0);
        at_ += line;
        if (at_ >= end_ && ++row_ != last_) begin_row();
    }

private:
    __attribute__((always_inline)) void begin_row()
    {
        at_ = static_cast<const char*>(*row_);
        end_ = at_ + bytes_;
    }
    const void *const *row_, *const *last_;
    Index bytes_;
    const char *at_ = nullptr, *end_ = nullptr;
};

} // namespace
} // namespace headroom::parallel
