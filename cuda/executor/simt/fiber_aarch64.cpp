// The context switch for aarch64: x19-x30 and the low halves of v8-v15 are what a called function must keep.
#if defined(__aarch64__)
#include "cuda/executor/simt/fiber.h"

asm(R"(
.text
.globl headroom_switch_fiber
.hidden headroom_switch_fiber
headroom_switch_fiber:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret

.globl headroom_start_fiber
.hidden headroom_start_fiber
headroom_start_fiber:
    .cfi_startproc
    .cfi_undefined x30
    mov x0, x19
    blr x20
    brk #0
    .cfi_endproc
)");
extern "C" void headroom_start_fiber();

namespace headroom::cuda::simt {

void* prepare_native_stack(void* top, Fiber::Entry entry, void* argument)
{
    void** sp = static_cast<void**>(top) - 20;
    for (int i = 0; i < 20; ++i) sp[i] = nullptr;
    sp[0] = argument;                                        // x19
    sp[1] = reinterpret_cast<void*>(entry);                  // x20
    sp[11] = reinterpret_cast<void*>(&headroom_start_fiber); // x30, where the switch returns to
    return sp;
}

} // namespace headroom::cuda::simt
#endif
