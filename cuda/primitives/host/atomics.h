// Atomic operations and fences. Only one thread runs at a time here, so plain arithmetic is atomic already.
#pragma once
#include <algorithm>

template <class T> T atomicAdd(T* address, T value)
{
    const T old = *address;
    *address = static_cast<T>(old + value);
    return old;
}
template <class T> T atomicMax(T* address, T value)
{
    const T old = *address;
    *address = std::max(old, value);
    return old;
}
template <class T> T atomicMin(T* address, T value)
{
    const T old = *address;
    *address = std::min(old, value);
    return old;
}
template <class T> T atomicExch(T* address, T value)
{
    const T old = *address;
    *address = value;
    return old;
}
template <class T> T atomicCAS(T* address, T expected, T value)
{
    const T old = *address;
    if (old == expected) *address = value;
    return old;
}
inline unsigned atomicInc(unsigned* address, unsigned limit)
{
    const unsigned old = *address;
    *address = old >= limit ? 0 : old + 1;
    return old;
}
inline void __threadfence() {}
inline void __threadfence_block() {}
template <class T> T __ldg(const T* address) { return *address; }
template <class T> T __ldcg(const T* address) { return *address; }
