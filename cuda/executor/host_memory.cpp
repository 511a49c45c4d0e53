#include "cuda/executor/host_memory.h"

#include "cuda/executor/fault.h"
#include "cuda/executor/sanitizer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace headroom::cuda {
namespace {

constexpr std::byte guard_value{0xfd};
constexpr std::size_t alignment = 4096;

std::size_t padded(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

// A buffer this large is address space that reads as zero and takes memory where it is written: no poison.
bool sparse(std::size_t bytes) { return bytes >= std::size_t{1} << 32; }

std::byte* address_space(std::size_t bytes)
{
    void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return data == MAP_FAILED ? nullptr : static_cast<std::byte*>(data);
}

} // namespace

HostMemory::~HostMemory()
{
    while (!blocks_.empty()) release(const_cast<std::byte*>(blocks_.begin()->first));
}

void* HostMemory::allocate(std::size_t bytes, std::string_view label)
{
    const std::size_t total = padded(bytes) + 2 * guard_bytes, behind = total - guard_bytes - bytes;
    std::byte* raw =
        sparse(bytes) ? address_space(total) : static_cast<std::byte*>(std::aligned_alloc(alignment, total));
    if (!raw) throw std::bad_alloc();
    std::byte* data = raw + guard_bytes;
    std::memset(raw, int(guard_value), guard_bytes);
    std::memset(data + bytes, int(guard_value), behind);
    if (!sparse(bytes)) std::memset(data, 0xff, bytes);
    sanitizer::poison(raw, guard_bytes);
    sanitizer::poison(data + bytes, behind);
    recent_ = blocks_.emplace(data, Block{bytes, std::string(label)}).first;
    return data;
}

void HostMemory::release(void* memory) noexcept
{
    const auto it = blocks_.find(static_cast<const std::byte*>(memory));
    if (it == blocks_.end()) return;
    const std::size_t bytes = it->second.bytes, total = padded(bytes) + 2 * guard_bytes;
    std::byte* raw = static_cast<std::byte*>(memory) - guard_bytes;
    sanitizer::unpoison(raw, guard_bytes);
    sanitizer::unpoison(raw + guard_bytes + bytes, total - guard_bytes - bytes);
    blocks_.erase(it);
    recent_ = blocks_.end();
    if (sparse(bytes))
        munmap(raw, total);
    else
        std::free(raw);
}

void HostMemory::check_guards() const
{
    if (sanitizer::present()) return; // the sanitizer has seen any access already, and forbids ours
    for (const auto& [data, block] : blocks_) {
        const auto harmed = [](std::byte x) { return x != guard_value; };
        const std::byte* end = data + block.bytes;
        const std::byte* after = std::find_if(end, end + guard_bytes, harmed);
        const std::byte* before = std::find_if(data - guard_bytes, data, harmed);
        if (after != end + guard_bytes) throw Fault("a kernel wrote out of bounds: " + describe(after));
        if (before != data) throw Fault("a kernel wrote out of bounds: " + describe(before));
    }
}

const HostMemory::Block* HostMemory::find(const void* address, std::size_t bytes) const
{
    const auto* a = static_cast<const std::byte*>(address);
    const auto holds = [&](auto it) {
        return it != blocks_.end() && a >= it->first && a + bytes <= it->first + it->second.bytes;
    };
    if (holds(recent_)) return &recent_->second;
    auto it = blocks_.upper_bound(a);
    if (it == blocks_.begin() || !holds(--it)) return nullptr;
    recent_ = it;
    return &it->second;
}

std::string HostMemory::describe(const void* address) const
{
    const auto* a = static_cast<const std::byte*>(address);
    for (const auto& [data, block] : blocks_)
        if (a >= data - guard_bytes && a < data + block.bytes + guard_bytes)
            return "byte " + std::to_string(a - data) + " of '" + block.label + "' (" + std::to_string(block.bytes) +
                   " bytes)";
    return "an address in no buffer";
}

} // namespace headroom::cuda
