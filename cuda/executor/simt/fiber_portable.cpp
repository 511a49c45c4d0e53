#include "cuda/executor/simt/fiber_portable.h"

#include <cstdint>
#include <ucontext.h>

namespace headroom::cuda::simt {

struct Fiber::Portable {
    ucontext_t context;
    Entry entry;
    void* argument;
};

Fiber::Fiber() = default;
Fiber::~Fiber() = default;
Fiber::Fiber(Fiber&&) noexcept = default;

namespace {

Fiber::Portable& portable(Fiber& fiber)
{
    if (!fiber.portable) fiber.portable = std::make_unique<Fiber::Portable>();
    return *fiber.portable;
}

// makecontext passes ints only: the pointer comes in two halves.
void start(unsigned high, unsigned low)
{
    auto* self = reinterpret_cast<Fiber::Portable*>(std::uintptr_t{high} << 32 | low);
    self->entry(self->argument);
}

} // namespace

void prepare_portable(Fiber& fiber, Fiber::Entry entry, void* argument)
{
    Fiber::Portable& p = portable(fiber);
    p.entry = entry;
    p.argument = argument;
    getcontext(&p.context);
    p.context.uc_stack.ss_sp = fiber.stack;
    p.context.uc_stack.ss_size = fiber.stack_bytes;
    p.context.uc_link = nullptr;
    const std::uint64_t self = reinterpret_cast<std::uintptr_t>(&p);
    makecontext(&p.context, reinterpret_cast<void (*)()>(&start), 2, unsigned(self >> 32), unsigned(self));
}

void switch_portable(Fiber& from, Fiber& to) { swapcontext(&portable(from).context, &portable(to).context); }

} // namespace headroom::cuda::simt
