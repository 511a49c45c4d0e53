// Two 8-bit codes of a register as a pair of halves, exactly: bytes 0 and 1 (half 0) or bytes 2 and 3 (half 1).
//
//     e4m3   the bits moved to where half keeps them have a bias that is 8 too small: multiply by 2^8
//     int8   0x6400 | u is the half 1024 + u; with u = code + 128, subtract 1152
#pragma once
#include "cuda/primitives/pack.h"

namespace headroom::cuda {

template <class Stored> PRIMITIVE std::uint32_t dq2(std::uint32_t codes, int half);

#ifdef __CUDACC__
template <> PRIMITIVE std::uint32_t dq2<E4M3>(std::uint32_t codes, int half)
{
    std::uint32_t r;
#if __CUDA_ARCH__ >= 890
    const std::uint16_t two = static_cast<std::uint16_t>(codes >> (16 * half));
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(r) : "h"(two));
#else
    const std::uint32_t spread = prmt(codes, 0, half ? 0x3424 : 0x1404); // each code in the upper byte of its half
    const std::uint32_t moved = (spread & 0x80008000u) | (spread & 0x7f007f00u) >> 1;
    asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(r) : "r"(moved), "r"(0x5c005c00u));
#endif
    return r;
}
template <> PRIMITIVE std::uint32_t dq2<I8>(std::uint32_t codes, int half)
{
    std::uint32_t r;
    const std::uint32_t biased = prmt(codes ^ 0x80808080u, 0x64646464u, half ? 0x4342 : 0x4140);
    asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(r) : "r"(biased), "r"(0x64806480u));
    return r;
}
#else
template <> PRIMITIVE std::uint32_t dq2<E4M3>(std::uint32_t codes, int half)
{
    const auto value = [&](int byte) { return simt::float_from_e4m3(static_cast<std::uint8_t>(codes >> 8 * byte)); };
    return pack2<F16>(value(2 * half), value(2 * half + 1));
}
template <> PRIMITIVE std::uint32_t dq2<I8>(std::uint32_t codes, int half)
{
    const auto value = [&](int byte) { return static_cast<float>(static_cast<std::int8_t>(codes >> 8 * byte)); };
    return pack2<F16>(value(2 * half), value(2 * half + 1));
}
#endif

} // namespace headroom::cuda
