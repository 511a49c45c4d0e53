// AddressSanitizer's calls for memory and fibers, found at link time: they do nothing in a build without it.
#pragma once
#include <cstddef>

extern "C" {
__attribute__((weak)) void __asan_poison_memory_region(const volatile void*, std::size_t);
__attribute__((weak)) void __asan_unpoison_memory_region(const volatile void*, std::size_t);
__attribute__((weak)) void __sanitizer_start_switch_fiber(void**, const void*, std::size_t);
__attribute__((weak)) void __sanitizer_finish_switch_fiber(void*, const void**, std::size_t*);
}

namespace headroom::cuda::sanitizer {

inline bool present() { return __asan_poison_memory_region != nullptr; }
inline void poison(const void* memory, std::size_t bytes)
{
    if (__asan_poison_memory_region) __asan_poison_memory_region(memory, bytes);
}
inline void unpoison(const void* memory, std::size_t bytes)
{
    if (__asan_unpoison_memory_region) __asan_unpoison_memory_region(memory, bytes);
}

} // namespace headroom::cuda::sanitizer
