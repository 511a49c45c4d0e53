// A problem made ready for the fast path, for who launches it often or wants its numbers as they are: in f32.
#pragma once
#include "reference/parallel/parallel_attention.h"
#include <memory_resource>

namespace headroom {

class ParallelAttention : public PreparedAttention {
public:
    virtual std::span<const float> output() const = 0; // [B, H, L, Dv], of the last launch
};

struct ParallelMemory {                          // null: new and delete
    std::pmr::memory_resource* output = nullptr; // of output, row_max, row_sum, lse
    std::pmr::memory_resource* tiles = nullptr;  // of each thread's tiles of scores and rows, and of parts to be merged
};
std::unique_ptr<ParallelAttention> prepare_parallel(const AttentionProblem& problem,
                                                    const ParallelOptions& options = {},
                                                    const ParallelMemory& memory = {});

} // namespace headroom
