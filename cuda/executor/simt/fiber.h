// A fiber: a flow of control with a stack of its own, left and resumed by hand. Every CUDA thread is one. A fiber never
// moves to another thread of the operating system.
#pragma once
#include <cstddef>
#include <memory>

namespace headroom::cuda::simt {

enum class SwitchKind { native, portable }; // hand-written (x86-64, aarch64), or POSIX ucontext
SwitchKind best_switch();

struct Fiber {
    using Entry = void (*)(void*);

    Fiber();
    ~Fiber();
    Fiber(Fiber&&) noexcept;

    void* stack_pointer = nullptr; // where it was left (native)
    struct Portable;
    std::unique_ptr<Portable> portable;
    void* stack = nullptr; // lowest usable address
    std::size_t stack_bytes = 0;
    void* sanitizer_state = nullptr;
};

// Makes `fiber`, whose stack is set, call entry(argument) when first resumed. The entry never returns.
void prepare(Fiber& fiber, Fiber::Entry entry, void* argument, SwitchKind kind);

// Leaves `from`, resumes `to`. A fiber that is `leaving_for_good` is never resumed.
void switch_fiber(Fiber& from, Fiber& to, SwitchKind kind, bool leaving_for_good = false);

// The first call of a new fiber: tells the sanitizer, and remembers the stack of the thread that came here.
void entered_from(Fiber& thread);

// Native implementation, one file per processor.
extern "C" void headroom_switch_fiber(void** save_stack_pointer, void* load_stack_pointer);
void* prepare_native_stack(void* top, Fiber::Entry entry, void* argument);

} // namespace headroom::cuda::simt
