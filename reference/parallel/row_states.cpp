#include "reference/parallel/row_states.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::parallel {

FloatBuffer::FloatBuffer(Index floats, std::pmr::memory_resource* memory)
    : data_(nullptr,
            Free{memory ? memory : std::pmr::new_delete_resource(), static_cast<std::size_t>(floats) * sizeof(float)})
{
    const Free& source = data_.get_deleter();
    if (floats > 0) data_.reset(static_cast<float*>(source.memory->allocate(source.bytes, 64)));
    std::fill_n(data_.get(), floats, 0.0f);
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
