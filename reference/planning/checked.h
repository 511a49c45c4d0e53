// Whole-number arithmetic that refuses instead of wrapping: every size of a plan is exact up to 2^63 - 1.
#pragma once
#include "reference/tensor/tensor.h"
#include <stdexcept>
#include <string>

namespace headroom {

[[noreturn]] inline void refuse_overflow()
{
    throw std::overflow_error("the result is beyond 2^63 - 1 bytes: choose a smaller context or batch");
}

inline Index times(Index a, Index b)
{
    Index product = 0;
    if (__builtin_mul_overflow(a, b, &product)) refuse_overflow();
    return product;
}

template <class... More> Index times(Index a, Index b, More... more) { return times(times(a, b), more...); }

inline Index plus(Index a, Index b)
{
    Index sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) refuse_overflow();
    return sum;
}

inline Index divide_up(Index a, Index b) { return a / b + (a % b != 0 ? 1 : 0); }

} // namespace headroom
