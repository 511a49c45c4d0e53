// How numbers are stored: the types of tensors in files and caches, and their exact conversion to and from double.
#pragma once
#include "reference/tensor/small_float.h"
#include "reference/tensor/tensor.h"
#include <cstddef>
#include <string_view>

namespace headroom {

enum class DType : std::uint8_t { f64, f32, f16, bf16, f8e4m3, i8, u8, i32, i64, boolean };

Index byte_size(DType type);
std::string_view name(DType type);            // "bf16"
DType dtype_from_name(std::string_view name); // throws std::invalid_argument listing the names

// Exact, but for an i64 beyond 2^53. To the nearest value, ties to even; e4m3 and integers saturate (i8 at -127, so that
// it is symmetric), NaN becomes integer 0.
double decode(DType type, const std::byte* from);
void encode(DType type, double value, std::byte* to);

} // namespace headroom
