// The number formats that tensor-core steps store and multiply, as tags: kernels are templates over them.
#pragma once
#include "cuda/primitives/cuda.h"
#include <type_traits>

namespace headroom::cuda {

struct F16 {
    static constexpr int bits = 16;
};
struct BF16 {
    static constexpr int bits = 16;
};
struct E4M3 { // dequantised to F16 in registers
    static constexpr int bits = 8;
};
struct I8 { // symmetric; dequantised to F16 in registers
    static constexpr int bits = 8;
};
// What the tensor core multiplies for a stored format.
template <class Stored> using MathOf = std::conditional_t<Stored::bits == 8, F16, Stored>;

} // namespace headroom::cuda
