// Loads and stores of 4, 8 or 16 bytes in one instruction: plain, streaming past the first-level cache, and coherent.
#pragma once
#include "cuda/primitives/cuda.h"

namespace headroom::cuda {

#ifdef __CUDACC__
template <class V, class T> PRIMITIVE V ld_vec(const T* address) { return *reinterpret_cast<const V*>(address); }
template <class V, class T> PRIMITIVE void st_vec(T* address, V value) { *reinterpret_cast<V*>(address) = value; }

// 16 bytes that are read once: not kept in L1, the whole 128-byte line asked of L2.
PRIMITIVE uint4 ldg_stream(const void* address)
{
    uint4 r;
    asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)
                 : "l"(address));
    return r;
}
PRIMITIVE uint4 ldg_stream_if(const void* address, bool wanted) // zero where not wanted
{
    uint4 r;
    asm volatile("{ .reg .pred wanted;\n"
                 "  setp.ne.b32 wanted, %5, 0;\n"
                 "  mov.u32 %0, 0; mov.u32 %1, 0; mov.u32 %2, 0; mov.u32 %3, 0;\n"
                 "  @wanted ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4]; }"
                 : "=&r"(r.x), "=&r"(r.y), "=&r"(r.z), "=&r"(r.w)
                 : "l"(address), "r"(static_cast<int>(wanted)));
    return r;
}
// What other blocks wrote: from L2, where all blocks meet.
template <class T> PRIMITIVE T ld_cg(const T* address) { return __ldcg(address); }
#else
// One access, however the compiler would split the copy of a struct.
template <class V, class T> PRIMITIVE V ld_vec(const T* address, simt::Site site = simt::Site::here())
{
    V value;
    simt::load(&value, address, sizeof value, site);
    return value;
}
template <class V, class T> PRIMITIVE void st_vec(T* address, V value, simt::Site site = simt::Site::here())
{
    simt::store(address, &value, sizeof value, site);
}
PRIMITIVE uint4 ldg_stream(const void* address, simt::Site site = simt::Site::here())
{
    return ld_vec<uint4>(address, site);
}
PRIMITIVE uint4 ldg_stream_if(const void* address, bool wanted, simt::Site site = simt::Site::here())
{
    return wanted ? ld_vec<uint4>(address, site) : uint4{0, 0, 0, 0};
}
template <class T> PRIMITIVE T ld_cg(const T* address, simt::Site site = simt::Site::here())
{
    return ld_vec<T>(address, site);
}
#endif

} // namespace headroom::cuda
