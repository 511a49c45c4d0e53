// Lines of memory that are wanted soon, on their way while others are multiplied.
#pragma once
#include "reference/parallel/kernels/vectors.h"

namespace headroom::parallel {
namespace {

constexpr Index line = 64; // bytes that come into the cache together

INLINE bool begins_a_line(Index column, Index bytes) { return column * bytes % line < LANES * bytes; }

// Into the second-level cache: more lines can be on their way there than to the first level.
INLINE void fetch(const void* row, Index byte) { __builtin_prefetch(static_cast<const char*>(row) + byte, 0, 2); }

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
