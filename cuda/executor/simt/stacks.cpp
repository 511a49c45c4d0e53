#include "cuda/executor/simt/stacks.h"

#include "cuda/executor/sanitizer.h"

#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace headroom::cuda::simt {

Stacks::~Stacks() { unmap(); }

void Stacks::unmap() noexcept
{
    if (!base_) return;
    for (std::size_t i = 0; i < count_; ++i) sanitizer::unpoison(base_ + i * stride_ + page_, stride_ - page_);
    munmap(base_, stride_ * count_);
    base_ = nullptr;
    count_ = 0;
}

void Stacks::reserve(std::size_t count)
{
    if (count <= count_) return;
    unmap();
    page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t usable = sanitizer::present() ? 512 * 1024 : 128 * 1024;
    stride_ = usable + page_;
    void* memory =
        mmap(nullptr, stride_ * count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    base_ = static_cast<std::byte*>(memory);
    count_ = count;
    for (std::size_t i = 0; i < count; ++i) mprotect(base_ + i * stride_, page_, PROT_NONE);
}

void Stacks::assign(Fiber& fiber, std::size_t n) const
{
    fiber.stack = base_ + n * stride_ + page_;
    fiber.stack_bytes = stride_ - page_;
    sanitizer::unpoison(fiber.stack, fiber.stack_bytes); // a fiber that was abandoned leaves poison behind
}

} // namespace headroom::cuda::simt
