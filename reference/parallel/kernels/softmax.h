// Rows of scores become weights, and what else is done to rows of floats.
#pragma once
#include "reference/parallel/kernels/across_lanes.h"

namespace headroom::parallel {
namespace {

// exp of x <= 0: 2^n (1 + r + r^2 / 2 + …) with x = n ln 2 + r. Exactly 0 below -88; NaN stays NaN.
INLINE Floats exp_of_negative(Floats x)
{
    x = largest(all(-88.03f), x);
    const Floats shifted = x * 1.44269504f + 12582912.f; // 1.5 * 2^23: the sum has no bits left behind the point
    const Floats n = shifted - 12582912.f;
    Floats r = n * -0.693359375f + x; // ln 2 in two parts
    r = n * 2.12194440e-4f + r;
    Floats p = r * (1.f / 720) + 1.f / 120; // the next term is at most 1.2e-7
    p = p * r + 1.f / 24;
    p = p * r + 1.f / 6;
    p = p * r + 0.5f;
    p = p * r + 1.f;
    p = p * r + 1.f;
    return p * from_bits((bits(shifted) + 127) << 23); // n = -127 leaves an exponent of 0: the number 0
}

// `rows` rows, 1 or 4, whose maxima and sums are found side by side. `columns`: a number that `keys` does not exceed, hidden
// behind them
template <Index columns, int rows>
INLINE void softmax_some(float* scores, Index keys, float* max, float* total, float* output, Index dim)
{
    constexpr float hidden = -__builtin_inff();
    constexpr int vectors = columns / LANES;
    Floats most[rows], sums[rows] = {};
    UNROLL
    for (int r = 0; r < rows; ++r) {
        float* const row = scores + r * tile_keys;
        for (Index j = keys; j < columns; ++j) row[j] = hidden;
        most[r] = all(hidden);
        UNROLL
        for (int n = 0; n < vectors; ++n) most[r] = largest(most[r], load(row + n * LANES));
    }
    float tile_max[rows], tile_sum[rows];
    maxima(most, tile_max);
    UNROLL
    for (int r = 0; r < rows; ++r) {
        float* const row = scores + r * tile_keys;
        if (!(tile_max[r] <= max[r])) {
            const float shrink = __builtin_expf(max[r] - tile_max[r]);
            max[r] = tile_max[r];
            total[r] *= shrink;
            float* const weighted = output + r * dim;
            for (Index d = 0; d < dim; d += LANES) store(load(weighted + d) * shrink, weighted + d);
        }
        const float lowest = max[r] == hidden ? 0 : max[r]; // nothing is seen yet: -inf - 0 still has weight 0
        UNROLL
        for (int n = 0; n < vectors; ++n) {
            const Floats weight = exp_of_negative(load(row + n * LANES) - lowest);
            store(weight, row + n * LANES);
            sums[r] += weight;
        }
    }
    totals(sums, tile_sum);
    UNROLL
    for (int r = 0; r < rows; ++r) total[r] += tile_sum[r];
}

template <Index columns>
INLINE void softmax_rows(float* scores, Index rows, Index keys, float* max, float* total, float* output, Index dim)
{
    Index r = 0;
    for (; r + 4 <= rows; r += 4)
        softmax_some<columns, 4>(scores + r * tile_keys, keys, max + r, total + r, output + r * dim, dim);
    for (; r < rows; ++r)
        softmax_some<columns, 1>(scores + r * tile_keys, keys, max + r, total + r, output + r * dim, dim);
}

void softmax(float* scores, Index rows, Index keys, float* max, float* total, float* output, Index dim)
{
    if (keys <= 16) return softmax_rows<16>(scores, rows, keys, max, total, output, dim);
    if (keys <= 64) return softmax_rows<64>(scores, rows, keys, max, total, output, dim);
    softmax_rows<tile_keys>(scores, rows, keys, max, total, output, dim);
}

void scale(float* x, Index n, const float* factors)
{
    for (Index i = 0; i < n; i += LANES) store(load(x + i) * load(factors + i), x + i);
}

void times(float* x, Index n, float factor)
{
    for (Index i = 0; i < n; i += LANES) store(load(x + i) * factor, x + i);
}

bool finite(const float* x, Index n)
{
    Ints wrong = {};
    for (Index i = 0; i < n; i += LANES) wrong |= (bits(load(x + i)) & 0x7f800000) == 0x7f800000;
    std::int32_t any = 0;
    for (int i = 0; i < LANES; ++i) any |= wrong[i];
    return any == 0;
}

// cap tanh(t) with t = |x| / cap, and x's sign: (1 - e) / (1 + e) with e = exp(-2 t), and where that cancels the series
// t - t^3 / 3 + 2 t^5 / 15 - 17 t^7 / 315, which is exact to the last place below 1/8.
void soft_cap(float* scores, Index n, float cap)
{
    for (Index i = 0; i < n; i += LANES) {
        const Floats x = load(scores + i);
        const Ints sign = bits(x) & static_cast<std::int32_t>(0x80000000u);
        const Floats t = from_bits(bits(x) ^ sign) * (1 / cap), square = t * t;
        const Floats e = exp_of_negative(t * -2.f);
        const Floats series = t + t * square * (-1.f / 3 + square * (2.f / 15 - square * (17.f / 315)));
        const Floats capped = cap * (t < 0.125f ? series : (1.f - e) / (1.f + e));
        store(from_bits(bits(capped) ^ sign), scores + i);
    }
}

} // namespace
} // namespace headroom::parallel
