// How wrong an answer may be, and why: all bounds of verification are in this file.
//
//     the yardstick  is the error of plain arithmetic of the same precision on the same numbers (plain.h), both against
//                    double. A kernel sums in another order, so it may be unlucky where plain is lucky: twice its error.
//     8-bit storage  four times and, on average, three times: the factors of FlashAttention-3's tests of an fp8 cache,
//                    where scales enter at other places than in the plain version.
//     the floor      1e-5, for tiny problems in which plain happens to be exact. It grows with scores, sums and lse that
//                    are larger than 1, for a float has 24 bits at any size: 1e-5 is 168 units of its last place.
//     the mean       1.5 times plain's, + 1e-6: a kernel that is slightly wrong everywhere stays under any maximum.
//     relative RMS   |error| / |expected|, whatever plain did: it keeps plain itself honest. Measured over all cases
//                    with inputs in [-4, 4], where scores have a deviation of 5.3 and few keys get all the weight:
//                    plain reaches 9.9e-7 in f32, 2.3e-4 in f16 and 2.2e-3 in bf16. Caps: about twice that.
#pragma once
#include "reference/tensor/dtype.h"
#include <cmath>

namespace headroom::bounds {

constexpr double times_plain = 2, times_plain_8_bit = 4;
constexpr double mean_times_plain = 1.5, mean_times_plain_8_bit = 3;
constexpr double floor = 1e-5, mean_floor = 1e-6;

constexpr double relative_rms_cap(DType type) // of the output
{
    switch (type) {
    case DType::f64: return 1e-11;
    case DType::f32: return 2e-6;
    case DType::bf16: return 4e-3;
    default: return 5e-4; // f16, and 8 bits multiplied as f16
    }
}

// Double stands beside double in another order: a few thousand units of its last place, which has 53 bits.
constexpr double double_floor = 1e-11;

// What K and V lose when a cache stores them in fewer bits. That is no mistake of a kernel, which is judged on what is
// stored; it stands against the numbers as they were, both read in double.
//
//     a number     at most half a step of its type: relative above the smallest normal number, absolute below. An 8-bit
//                  number is measured in its scale. Nearly reached by any sample, so there is no factor.
//     the output   a score moves by |q dk| * softmax scale, say e at most; then weights of at most tanh(e / 2) move from
//                  one key to another (two groups whose odds change by e^2e), and a V that moves by dv moves the output
//                  by no more: |d output| <= tanh(e / 2) (max v - min v) + max |dv|
//     typically    relative RMS of the output, over head widths 8 … 128, 16 … 256 tokens, normal numbers and such in
//                  [-4, 4], every scaling calibrated on such numbers: at most 5e-8 in f32, 7.1e-4 in f16, 5.9e-3 in
//                  bf16, 7.7e-2 in e4m3, 1.2e-2 in i8. Caps: about twice that.
constexpr double rounding(DType type) // of |x| / scale
{
    switch (type) {
    case DType::f32: return 0x1p-24;
    case DType::f16: return 0x1p-11;
    case DType::bf16: return 0x1p-8;
    case DType::f8e4m3: return 0x1p-4;
    default: return 0; // f64: nothing is lost; i8: the same step everywhere
    }
}
constexpr double least_rounding(DType type) // in scales
{
    switch (type) {
    case DType::f32: return 0x1p-150;
    case DType::f16: return 0x1p-25;
    case DType::bf16: return 0x1p-134;
    case DType::f8e4m3: return 0x1p-10;
    case DType::i8: return 0.5;
    default: return 0;
    }
}
inline double output_change(double score_change, double v_range, double v_change)
{
    return std::tanh(score_change / 2) * v_range + v_change;
}
constexpr double storage_rms_cap(DType type) // of the output, relative
{
    switch (type) {
    case DType::f64: return 0;
    case DType::f32: return 1.5e-7;
    case DType::f16: return 1.5e-3;
    case DType::bf16: return 1.2e-2;
    case DType::f8e4m3: return 0.16;
    default: return 2.5e-2; // i8
    }
}

} // namespace headroom::bounds
