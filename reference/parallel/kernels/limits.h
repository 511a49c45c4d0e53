// What the machine can do, for benchmarks.
#pragma once
#include "reference/parallel/kernels/fetch.h"

namespace headroom::parallel {
namespace {

// Both halves at the same time: two places keep more lines of memory on their way than one.
float read(const void* from, Index bytes)
{
    constexpr int vectors = LANES == 16 ? 8 : 4; // of each half
    const Index half = bytes / 2 / line * (line / 4);
    const float* const halves[2] = {static_cast<const float*>(from), static_cast<const float*>(from) + half};
    Floats sums[2][vectors] = {};
    for (Index i = 0; i + vectors * LANES <= half; i += vectors * LANES) {
        UNROLL
        for (int s = 0; s < vectors; ++s) {
            UNROLL
            for (int h = 0; h < 2; ++h) {
                const float* const x = halves[h] + i + s * LANES;
                if (begins_a_line(s * LANES, 4)) fetch(x, 2048);
                sums[h][s] += load(x);
            }
        }
    }
    for (int s = 1; s < 2 * vectors; ++s) sums[0][0] += sums[s % 2][s / 2];
    return sum(sums[0][0]);
}

float multiply_add(Index repetitions)
{
    constexpr int chains = LANES == 16 ? 24 : 12;
    Floats x[chains];
    for (int i = 0; i < chains; ++i) x[i] = all(0.5f + static_cast<float>(i));
    const Floats factor = all(1.0000001f), term = all(1e-9f);
    for (Index n = 0; n < repetitions; ++n) {
        UNROLL
        for (int i = 0; i < 24; ++i) x[i % chains] = x[i % chains] * factor + term;
    }
    for (int i = 1; i < chains; ++i) x[0] += x[i];
    return sum(x[0]);
}

} // namespace
} // namespace headroom::parallel
