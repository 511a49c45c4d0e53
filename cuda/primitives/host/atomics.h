// Atomic operations and fences. Only one thread runs at a time here, so a read and a write are atomic together.
#pragma once
#include "cuda/executor/simt/access.h"
#include <algorithm>

namespace headroom::cuda::simt {

template <class T, class F> T atomically(T* address, Site site, F&& change)
{
    T value;
    read_atomic(&value, address, sizeof value, site);
    const T old = value;
    value = change(old);
    write_atomic(address, &value, sizeof value);
    return old;
}

} // namespace headroom::cuda::simt

#define SITE headroom::cuda::simt::Site site = headroom::cuda::simt::Site::here()
template <class T> T atomicAdd(T* address, T value, SITE)
{
    return headroom::cuda::simt::atomically(address, site, [&](T old) { return static_cast<T>(old + value); });
}
template <class T> T atomicMax(T* address, T value, SITE)
{
    return headroom::cuda::simt::atomically(address, site, [&](T old) { return std::max(old, value); });
}
template <class T> T atomicMin(T* address, T value, SITE)
{
    return headroom::cuda::simt::atomically(address, site, [&](T old) { return std::min(old, value); });
}
template <class T> T atomicExch(T* address, T value, SITE)
{
    return headroom::cuda::simt::atomically(address, site, [&](T) { return value; });
}
template <class T> T atomicCAS(T* address, T expected, T value, SITE)
{
    return headroom::cuda::simt::atomically(address, site, [&](T old) { return old == expected ? value : old; });
}
inline unsigned atomicInc(unsigned* address, unsigned limit, SITE)
{
    return headroom::cuda::simt::atomically(address, site, [&](unsigned old) { return old >= limit ? 0 : old + 1; });
}
#undef SITE
inline void __threadfence() {}
inline void __threadfence_block() {}
template <class T> T __ldg(const T* address) { return *address; }
template <class T> T __ldcg(const T* address) { return *address; }
