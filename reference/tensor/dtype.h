// How numbers are stored: the types of tensors in files and caches, and their exact conversion to and from double.
#pragma once
#include "reference/tensor/tensor.h"
#include <cstddef>
#include <string_view>

namespace headroom {

enum class DType : std::uint8_t { f64, f32, f16, bf16, f8e4m3, i8, u8, i32, i64, boolean };

Index byte_size(DType type);
std::string_view name(DType type);            // "bf16"
DType dtype_from_name(std::string_view name); // throws std::invalid_argument listing the names

double decode(DType type, const std::byte* from); // exact
void encode(DType type, double value,
            std::byte* to); // to nearest even; e4m3 and integers saturate, NaN becomes integer 0

// f16, bf16: IEEE 754 binary16 and its truncated-binary32 sibling, with subnormals, infinities and NaN.
// f8e4m3: OCP 8-bit floating point E4M3 (Open Compute Project, 2023): no infinities, largest 448, NaN is 0x7f and 0xff.
double decode_f16(std::uint16_t bits);
double decode_bf16(std::uint16_t bits);
double decode_f8e4m3(std::uint8_t bits);
std::uint16_t encode_f16(double value);
std::uint16_t encode_bf16(double value);
std::uint8_t encode_f8e4m3(double value);

} // namespace headroom
