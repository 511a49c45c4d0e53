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

} // namespace headroom::bounds
