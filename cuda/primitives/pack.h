// Pairs of 16-bit numbers in one register, the lower index in the lower half; and prmt, which picks bytes.
#pragma once
#include "cuda/primitives/formats.h"

namespace headroom::cuda {

// Byte i of the result is byte (selector >> 4i & 7) of y:x. (A set eighth bit repeats the sign.)
#ifdef __CUDACC__
PRIMITIVE std::uint32_t prmt(std::uint32_t x, std::uint32_t y, std::uint32_t selector)
{
    std::uint32_t r;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(selector));
    return r;
}
#else
PRIMITIVE std::uint32_t prmt(std::uint32_t x, std::uint32_t y, std::uint32_t selector)
{
    const std::uint64_t bytes = std::uint64_t{y} << 32 | x;
    std::uint32_t r = 0;
    for (int i = 0; i < 4; ++i) {
        const std::uint32_t pick = selector >> 4 * i;
        std::uint32_t byte = static_cast<std::uint32_t>(bytes >> 8 * (pick & 7)) & 0xff;
        if (pick & 8) byte = byte & 0x80 ? 0xff : 0;
        r |= byte << 8 * i;
    }
    return r;
}
#endif

template <class F> PRIMITIVE std::uint32_t pack2(float low, float high);
template <class F> PRIMITIVE float2 unpack2(std::uint32_t pair);

#ifdef __CUDACC__
template <> PRIMITIVE std::uint32_t pack2<F16>(float low, float high)
{
    std::uint32_t r;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
    return r;
}
template <> PRIMITIVE std::uint32_t pack2<BF16>(float low, float high)
{
    std::uint32_t r;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
    return r;
}
template <> PRIMITIVE float2 unpack2<F16>(std::uint32_t pair)
{
    float2 f;
    asm("{ .reg .f16 low, high;\n"
        "  mov.b32 {low, high}, %2;\n"
        "  cvt.f32.f16 %0, low;\n"
        "  cvt.f32.f16 %1, high; }"
        : "=f"(f.x), "=f"(f.y)
        : "r"(pair));
    return f;
}
#else
template <> PRIMITIVE std::uint32_t pack2<F16>(float low, float high)
{
    return static_cast<std::uint32_t>(simt::half_from_float(high)) << 16 | simt::half_from_float(low);
}
template <> PRIMITIVE std::uint32_t pack2<BF16>(float low, float high)
{
    return static_cast<std::uint32_t>(simt::bfloat16_from_float(high)) << 16 | simt::bfloat16_from_float(low);
}
template <> PRIMITIVE float2 unpack2<F16>(std::uint32_t pair)
{
    return {simt::float_from_half(static_cast<std::uint16_t>(pair)),
            simt::float_from_half(static_cast<std::uint16_t>(pair >> 16))};
}
#endif
template <> PRIMITIVE float2 unpack2<BF16>(std::uint32_t pair)
{
    return make_float2(__uint_as_float(pair << 16), __uint_as_float(pair & 0xffff0000u));
}

} // namespace headroom::cuda
