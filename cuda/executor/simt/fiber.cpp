#include "cuda/executor/simt/fiber.h"

#include "cuda/executor/sanitizer.h"
#include "cuda/executor/simt/fiber_portable.h"

#include <cstdint>

namespace headroom::cuda::simt {

SwitchKind best_switch()
{
#if defined(__x86_64__) || defined(__aarch64__)
    return SwitchKind::native;
#else
    return SwitchKind::portable;
#endif
}

void prepare(Fiber& fiber, Fiber::Entry entry, void* argument, SwitchKind kind)
{
    if (kind == SwitchKind::portable) return prepare_portable(fiber, entry, argument);
    const auto end = reinterpret_cast<std::uintptr_t>(fiber.stack) + fiber.stack_bytes;
    fiber.stack_pointer = prepare_native_stack(reinterpret_cast<void*>(end & ~std::uintptr_t{15}), entry, argument);
}

void switch_fiber(Fiber& from, Fiber& to, SwitchKind kind, bool leaving_for_good)
{
    if (__sanitizer_start_switch_fiber)
        __sanitizer_start_switch_fiber(leaving_for_good ? nullptr : &from.sanitizer_state, to.stack, to.stack_bytes);
    if (kind == SwitchKind::portable)
        switch_portable(from, to);
    else
        headroom_switch_fiber(&from.stack_pointer, to.stack_pointer);
    if (__sanitizer_finish_switch_fiber) __sanitizer_finish_switch_fiber(from.sanitizer_state, nullptr, nullptr);
}

void entered_from(Fiber& thread)
{
    if (!__sanitizer_finish_switch_fiber) return;
    const void* stack = nullptr;
    std::size_t bytes = 0;
    __sanitizer_finish_switch_fiber(nullptr, &stack, &bytes);
    if (thread.stack) return;
    thread.stack = const_cast<void*>(stack);
    thread.stack_bytes = bytes;
}

} // namespace headroom::cuda::simt
