#include "reference/parallel/row_states.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::parallel {

FloatBuffer::FloatBuffer(Index floats, std::pmr::memory_resource* memory)
    : start_(nullptr, Free{memory, static_cast<std::size_t>(floats) * sizeof(float)})
{
    if (floats <= 0) return;
    std::size_t bytes = start_.get_deleter().bytes, room = bytes + line;
    // Room to move in is had faster than an address like this.
    start_.reset(memory ? memory->allocate(bytes, line) : ::operator new(room));
    void* begin = start_.get();
    data_ = static_cast<float*>(memory ? begin : std::align(line, bytes, begin, room));
    std::fill_n(data_, floats, 0.0f);
}

void FloatBuffer::Free::operator()(void* start) const
{
    memory ? memory->deallocate(start, bytes, line) : ::operator delete(start);
}

void RowStates::clear() const
{
    std::fill_n(max, rows, -std::numeric_limits<float>::infinity());
    std::fill_n(sum, rows, 0.0f);
    std::fill_n(output, rows * dim, 0.0f);
}

void RowStates::merge(const RowStates& other) const
{
    for (Index r = 0; r < rows; ++r) {
        const float largest = !(other.max[r] <= max[r]) ? other.max[r] : max[r]; // NaN stays
        const auto shrink = [&](float from) { return from == largest ? 1.0f : std::exp(from - largest); };
        const float mine = shrink(max[r]), theirs = shrink(other.max[r]);
        max[r] = largest;
        sum[r] = sum[r] * mine + other.sum[r] * theirs;
        float* const into = output + r * dim;
        const float* const from = other.output + r * dim;
        for (Index d = 0; d < dim; ++d) into[d] = into[d] * mine + from[d] * theirs;
    }
}

} // namespace headroom::parallel
