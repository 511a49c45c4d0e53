// The context switch for x86-64: saves the six registers that a called function must keep, swaps stacks, returns.
#if defined(__x86_64__)
#include "cuda/executor/simt/fiber.h"

asm(R"(
.text
.globl headroom_switch_fiber
.hidden headroom_switch_fiber
.type headroom_switch_fiber,@function
headroom_switch_fiber:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size headroom_switch_fiber,.-headroom_switch_fiber

.globl headroom_start_fiber
.hidden headroom_start_fiber
.type headroom_start_fiber,@function
headroom_start_fiber:
    .cfi_startproc
    .cfi_undefined rip
    movq %r12, %rdi
    xorl %ebp, %ebp
    callq *%r13
    ud2
    .cfi_endproc
.size headroom_start_fiber,.-headroom_start_fiber
)");
extern "C" void headroom_start_fiber();

namespace headroom::cuda::simt {

void* prepare_native_stack(void* top, Fiber::Entry entry, void* argument)
{
    auto** sp = static_cast<void**>(top);
    *--sp = nullptr;
    *--sp = nullptr; // two words: the stack is 16-byte aligned where the entry is called
    *--sp = reinterpret_cast<void*>(&headroom_start_fiber);
    *--sp = nullptr;                        // rbp
    *--sp = nullptr;                        // rbx
    *--sp = argument;                       // r12
    *--sp = reinterpret_cast<void*>(entry); // r13
    *--sp = nullptr;                        // r14
    *--sp = nullptr;                        // r15
    return sp;
}

} // namespace headroom::cuda::simt
#endif
