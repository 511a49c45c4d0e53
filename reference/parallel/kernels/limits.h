// What the machine can do, for benchmarks.
#pragma once
#include "reference/parallel/kernels/fetch.h"

namespace headroom::parallel {
namespace {

float read(const void* from, Index bytes)
{
    constexpr int streams = LANES == 16 ? 16 : 8;
    const auto* x = static_cast<const float*>(from);
    Floats sums[streams] = {};
    const Index step = streams * LANES;
    for (Index i = 0; i + step <= bytes / 4; i += step) {
        UNROLL
        for (int s = 0; s < streams; ++s) {
            if (begins_a_line(s * LANES, 4)) fetch(x, (i + s * LANES) * 4 + 8192);
            sums[s] += load(x + i + s * LANES);
        }
    }
    for (int s = 1; s < streams; ++s) sums[0] += sums[s];
    return sum(sums[0]);
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
