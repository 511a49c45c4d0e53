// What the online softmax keeps for each row, a query of one head: the largest score so far, the sum of exp(score - max),
// and the values weighted by the same. Two states of one row, from different keys, merge in any order.
#pragma once
#include "reference/parallel/rounding.h"
#include <memory>
#include <memory_resource>

namespace headroom::parallel {

// Floats from the start of a cache line, as vectors like them.
class FloatBuffer {
public:
    explicit FloatBuffer(Index floats = 0, std::pmr::memory_resource* memory = nullptr); // null: new and delete
    float* data() const { return start_ ? data_ : nullptr; }

private:
    static constexpr std::size_t line = 64;
    struct Free {
        std::pmr::memory_resource* memory;
        std::size_t bytes;
        void operator()(void* start) const;
    };
    std::unique_ptr<void, Free> start_;
    float* data_ = nullptr;
};

struct RowStates {
    float *max, *sum; // [rows]
    float* output;    // [rows, dim]
    Index rows, dim;

    static Index floats(Index rows, Index dim) { return whole_lines(rows * (dim + 2)); }
    static RowStates in(float* memory, Index rows, Index dim)
    {
        return {memory + rows * dim, memory + rows * dim + rows, memory, rows, dim};
    }
    RowStates some(Index from, Index n) const { return {max + from, sum + from, output + from * dim, n, dim}; }
    void clear() const;                       // no key seen: max -inf, the rest 0
    void merge(const RowStates& other) const; // an empty state changes nothing
};

} // namespace headroom::parallel
