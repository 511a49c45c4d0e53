// A row of numbers converted as a whole: the type is looked at once, not once per number.
#pragma once
#include "reference/tensor/dtype.h"

namespace headroom {

// Each number divided by its scale (scale[i * scale_stride]; null: 1), then stored, one after the other.
void encode_row(DType type, std::span<const double> row, const float* scale, Index scale_stride, std::byte* to);

// Numbers `byte_stride` apart, without their scale.
void decode_row(DType type, const std::byte* from, Index byte_stride, std::span<double> row);

// The scale that lets the largest number of a row just fit; NaN where a number is not finite, so that none is hidden.
float scale_for(DType type, std::span<const double> row);

} // namespace headroom
