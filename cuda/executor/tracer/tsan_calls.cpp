// The calls that -fsanitize=thread puts into kernels, answered by the tracer in place of ThreadSanitizer's library.
#include "cuda/executor/tracer/tracer.h"

#include <cstring>

namespace {

void hit(const void* address, std::size_t bytes, bool writes, const void* code)
{
    using namespace headroom::cuda;
    if (simt::current && active_tracer) active_tracer->plain_access(address, bytes, writes, code);
}

} // namespace

#define CODE __builtin_return_address(0)
#define ACCESSES(n)                                                                                                    \
    void __tsan_read##n(void* p) { hit(p, n, false, CODE); }                                                           \
    void __tsan_write##n(void* p) { hit(p, n, true, CODE); }                                                           \
    void __tsan_unaligned_read##n(void* p) { hit(p, n, false, CODE); }                                                 \
    void __tsan_unaligned_write##n(void* p) { hit(p, n, true, CODE); }                                                 \
    void __tsan_volatile_read##n(void* p) { hit(p, n, false, CODE); }                                                  \
    void __tsan_volatile_write##n(void* p) { hit(p, n, true, CODE); }
#define ATOMICS(bits, T)                                                                                               \
    T __tsan_atomic##bits##_load(const volatile T* p, int) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }            \
    void __tsan_atomic##bits##_store(volatile T* p, T v, int) { __atomic_store_n(p, v, __ATOMIC_SEQ_CST); }            \
    T __tsan_atomic##bits##_exchange(volatile T* p, T v, int) { return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); }  \
    T __tsan_atomic##bits##_fetch_add(volatile T* p, T v, int) { return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST); }  \
    T __tsan_atomic##bits##_fetch_sub(volatile T* p, T v, int) { return __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST); }  \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* e, T v, int, int)                              \
    {                                                                                                                  \
        return __atomic_compare_exchange_n(p, e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                        \
    }                                                                                                                  \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile T* p, T* e, T v, int, int)                                \
    {                                                                                                                  \
        return __atomic_compare_exchange_n(p, e, v, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                         \
    }                                                                                                                  \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T e, T v, int, int)                                    \
    {                                                                                                                  \
        __atomic_compare_exchange_n(p, &e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                              \
        return e;                                                                                                      \
    }

extern "C" {
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
ATOMICS(8, std::uint8_t)
ATOMICS(16, std::uint16_t)
ATOMICS(32, std::uint32_t)
ATOMICS(64, std::uint64_t)
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_read_range(void* p, std::size_t n) { hit(p, n, false, CODE); }
void __tsan_write_range(void* p, std::size_t n) { hit(p, n, true, CODE); }
void* __tsan_memcpy(void* to, const void* from, std::size_t n)
{
    hit(from, n, false, CODE);
    hit(to, n, true, CODE);
    return std::memcpy(to, from, n);
}
void* __tsan_memmove(void* to, const void* from, std::size_t n)
{
    hit(from, n, false, CODE);
    hit(to, n, true, CODE);
    return std::memmove(to, from, n);
}
void* __tsan_memset(void* to, int value, std::size_t n)
{
    hit(to, n, true, CODE);
    return std::memset(to, value, n);
}
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) {}
}
