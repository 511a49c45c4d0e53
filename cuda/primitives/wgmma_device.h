// wgmma's PTX: an instruction for each width, since its operands are all of the accumulators. See wgmma.h.
#pragma once
#include "cuda/primitives/formats.h"

namespace headroom::cuda {

// A descriptor of an operand in shared memory: address, offsets (all in 16-byte units) and the 128-byte swizzle.
using SharedDescriptor = std::uint64_t;
PRIMITIVE std::uint64_t descriptor_field(std::uint64_t bytes) { return (bytes & 0x3ffff) >> 4; }
PRIMITIVE SharedDescriptor descriptor_sw128(const void* shared, int leading_bytes)
{
    return descriptor_field(shared_address(shared)) |
           descriptor_field(static_cast<std::uint64_t>(leading_bytes)) << 16 | descriptor_field(1024) << 32 |
           std::uint64_t{1} << 62;
}
PRIMITIVE SharedDescriptor desc_k_sw128(const void* shared) { return descriptor_sw128(shared, 16); } // 16 is ignored
PRIMITIVE SharedDescriptor desc_mn_sw128(const void* shared, int half_bytes)
{
    return descriptor_sw128(shared, half_bytes);
}

PRIMITIVE void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
PRIMITIVE void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int N> PRIMITIVE void wgmma_wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory"); }
template <int N> PRIMITIVE void reg_inc() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N)); }
template <int N> PRIMITIVE void reg_dec() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N)); }

template <class F, int N>
PRIMITIVE void wgmma_ss(float (&d)[N / 2], SharedDescriptor a, SharedDescriptor b, int accumulate);
template <class F, int N>
PRIMITIVE void wgmma_rs_tb(float (&d)[N / 2], const std::uint32_t (&a)[4], SharedDescriptor b, int accumulate);

// Eight accumulators as operands, and their numbers in the instruction.
#define HEADROOM_D8(i)                                                                                                 \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]),        \
        "+f"(d[i + 7])
#define HEADROOM_D64 HEADROOM_D8(0), HEADROOM_D8(8), HEADROOM_D8(16), HEADROOM_D8(24)
#define HEADROOM_D128                                                                                                  \
    HEADROOM_D8(0), HEADROOM_D8(8), HEADROOM_D8(16), HEADROOM_D8(24), HEADROOM_D8(32), HEADROOM_D8(40),                \
        HEADROOM_D8(48), HEADROOM_D8(56)
#define HEADROOM_D176                                                                                                  \
    HEADROOM_D8(0), HEADROOM_D8(8), HEADROOM_D8(16), HEADROOM_D8(24), HEADROOM_D8(32), HEADROOM_D8(40),                \
        HEADROOM_D8(48), HEADROOM_D8(56), HEADROOM_D8(64), HEADROOM_D8(72), HEADROOM_D8(80)
#define HEADROOM_R64                                                                                                   \
    "%0, %1, %2, %3, %4, %5, %6, %7, "                                                                                 \
    "%8, %9, %10, %11, %12, %13, %14, %15, "                                                                           \
    "%16, %17, %18, %19, %20, %21, %22, %23, "                                                                         \
    "%24, %25, %26, %27, %28, %29, %30, %31"
#define HEADROOM_R128                                                                                                  \
    "%0, %1, %2, %3, %4, %5, %6, %7, "                                                                                 \
    "%8, %9, %10, %11, %12, %13, %14, %15, "                                                                           \
    "%16, %17, %18, %19, %20, %21, %22, %23, "                                                                         \
    "%24, %25, %26, %27, %28, %29, %30, %31, "                                                                         \
    "%32, %33, %34, %35, %36, %37, %38, %39, "                                                                         \
    "%40, %41, %42, %43, %44, %45, %46, %47, "                                                                         \
    "%48, %49, %50, %51, %52, %53, %54, %55, "                                                                         \
    "%56, %57, %58, %59, %60, %61, %62, %63"
#define HEADROOM_R176                                                                                                  \
    "%0, %1, %2, %3, %4, %5, %6, %7, "                                                                                 \
    "%8, %9, %10, %11, %12, %13, %14, %15, "                                                                           \
    "%16, %17, %18, %19, %20, %21, %22, %23, "                                                                         \
    "%24, %25, %26, %27, %28, %29, %30, %31, "                                                                         \
    "%32, %33, %34, %35, %36, %37, %38, %39, "                                                                         \
    "%40, %41, %42, %43, %44, %45, %46, %47, "                                                                         \
    "%48, %49, %50, %51, %52, %53, %54, %55, "                                                                         \
    "%56, %57, %58, %59, %60, %61, %62, %63, "                                                                         \
    "%64, %65, %66, %67, %68, %69, %70, %71, "                                                                         \
    "%72, %73, %74, %75, %76, %77, %78, %79, "                                                                         \
    "%80, %81, %82, %83, %84, %85, %86, %87"

#define HEADROOM_WGMMA_SS(F, type, N, a_number, b_number, p_number)                                                    \
    template <>                                                                                                        \
    PRIMITIVE void wgmma_ss<F, N>(float(&d)[N / 2], SharedDescriptor a, SharedDescriptor b, int accumulate)            \
    {                                                                                                                  \
        asm volatile("{ .reg .pred p;\n"                                                                               \
                     "  setp.ne.b32 p, " p_number ", 0;\n"                                                             \
                     "  wgmma.mma_async.sync.aligned.m64n" #N "k16.f32." type "." type " {" HEADROOM_R##N              \
                     "}, " a_number ", " b_number ", p, 1, 1, 0, 0; }"                                                 \
                     : HEADROOM_D##N                                                                                   \
                     : "l"(a), "l"(b), "r"(accumulate));                                                               \
    }
#define HEADROOM_WGMMA_RS(F, type, N, a_numbers, b_number, p_number)                                                   \
    template <>                                                                                                        \
    PRIMITIVE void wgmma_rs_tb<F, N>(float(&d)[N / 2], const std::uint32_t(&a)[4], SharedDescriptor b, int accumulate) \
    {                                                                                                                  \
        asm volatile("{ .reg .pred p;\n"                                                                               \
                     "  setp.ne.b32 p, " p_number ", 0;\n"                                                             \
                     "  wgmma.mma_async.sync.aligned.m64n" #N "k16.f32." type "." type " {" HEADROOM_R##N              \
                     "}, {" a_numbers "}, " b_number ", p, 1, 1, 1; }"                                                 \
                     : HEADROOM_D##N                                                                                   \
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(accumulate));                           \
    }
HEADROOM_WGMMA_SS(F16, "f16", 64, "%32", "%33", "%34")
HEADROOM_WGMMA_SS(BF16, "bf16", 64, "%32", "%33", "%34")
HEADROOM_WGMMA_SS(F16, "f16", 128, "%64", "%65", "%66")
HEADROOM_WGMMA_SS(BF16, "bf16", 128, "%64", "%65", "%66")
HEADROOM_WGMMA_SS(F16, "f16", 176, "%88", "%89", "%90")
HEADROOM_WGMMA_SS(BF16, "bf16", 176, "%88", "%89", "%90")
HEADROOM_WGMMA_RS(F16, "f16", 64, "%32, %33, %34, %35", "%36", "%37")
HEADROOM_WGMMA_RS(BF16, "bf16", 64, "%32, %33, %34, %35", "%36", "%37")
HEADROOM_WGMMA_RS(F16, "f16", 128, "%64, %65, %66, %67", "%68", "%69")
HEADROOM_WGMMA_RS(BF16, "bf16", 128, "%64, %65, %66, %67", "%68", "%69")

#undef HEADROOM_WGMMA_SS
#undef HEADROOM_WGMMA_RS

} // namespace headroom::cuda
