#include "cuda/executor/simt/access.h"

#include "cuda/executor/simt/async_copies.h"
#include "cuda/executor/simt/block.h"
#include "cuda/executor/simt/observer.h"

#include <cstring>
#include <fmt/format.h>

namespace headroom::cuda::simt {
namespace {

bool on_own_stack(const Lane& lane, const void* address)
{
    const auto* a = static_cast<const std::byte*>(address);
    const auto* stack = static_cast<const std::byte*>(lane.fiber.stack);
    return a >= stack && a < stack + lane.fiber.stack_bytes;
}

} // namespace

void check_access(const void* address, std::size_t bytes, std::size_t alignment, Access access, Site site)
{
    Lane& lane = *current;
    Block& block = *lane.block;
    SharedMemory& shared = block.shared();
    const bool writes = access == Access::write || access == Access::shared_write;
    const char* what = writes ? "write" : "read";
    if (reinterpret_cast<std::uintptr_t>(address) % alignment)
        block.fail(fmt::format("misaligned {} of {} bytes", what, bytes), &site);

    if (shared.contains(address)) {
        if (!shared.holds(address, bytes))
            block.fail(fmt::format("{} of {} bytes out of bounds: {}", what, bytes, shared.describe(address)), &site);
        if (!writes) block.async().check_read(lane, address, bytes, site);
    } else if (access == Access::shared_read || access == Access::shared_write) {
        block.fail(fmt::format("{} of {} bytes: not shared memory", what, bytes), &site);
    } else if (!block.memory().find(address, bytes) && !on_own_stack(lane, address)) {
        block.fail(fmt::format("{} of {} bytes out of bounds: {}", what, bytes, block.memory().describe(address)),
                   &site);
    }
    if (!block.observer) return;
    if (access == Access::atomic)
        block.observer->atomic_access(lane, address, bytes);
    else
        block.observer->access(lane, address, bytes, writes, site);
}

void load(void* value, const void* address, std::size_t bytes, Site site)
{
    check_access(address, bytes, bytes, Access::read, site);
    std::memcpy(value, address, bytes);
}

void read_atomic(void* value, const void* address, std::size_t bytes, Site site)
{
    check_access(address, bytes, bytes, Access::atomic, site);
    std::memcpy(value, address, bytes);
}

void write_atomic(void* address, const void* value, std::size_t bytes) { std::memcpy(address, value, bytes); }

void store(void* address, const void* value, std::size_t bytes, Site site)
{
    check_access(address, bytes, bytes, Access::write, site);
    std::memcpy(address, value, bytes);
}

} // namespace headroom::cuda::simt
