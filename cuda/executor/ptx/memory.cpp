// Where an address of PTX lies on the host: spaces, bounds, alignment.
#include "cuda/executor/ptx/machine.h"

#include <fmt/format.h>

namespace headroom::cuda::ptx {

std::byte* Machine::memory(Space space, u64 address, u32 bytes, Warp& warp, const Instruction& at, u32 lane)
{
    if (address % bytes) fail(warp, at, lane, fmt::format("misaligned access of {} bytes at {:#x}", bytes, address));
    if (space == Space::generic) {
        space = address >= local_window       ? Space::local
                : address >= parameter_window ? Space::parameter
                : address >= shared_window    ? Space::shared
                                              : Space::global;
    }
    switch (space) {
    case Space::shared:
        if (address >= shared_window) address -= shared_window;
        if (address + bytes > shared_.size())
            fail(warp, at, lane, fmt::format("out of bounds: byte {} of {} of shared memory", address, shared_.size()));
        return shared_.data() + address;
    case Space::parameter:
        if (address >= parameter_window) address -= parameter_window;
        if (address + bytes > parameters_.size())
            fail(warp, at, lane,
                 fmt::format("out of bounds: byte {} of {} of the parameters", address, parameters_.size()));
        return parameters_.data() + address;
    case Space::local:
        if (address >= local_window) address -= local_window;
        if (address + bytes > function_.local_bytes)
            fail(warp, at, lane,
                 fmt::format("out of bounds: byte {} of {} of local memory", address, function_.local_bytes));
        return local_.data() + std::size_t{function_.local_bytes} * (warp.number * 32 + lane) + address;
    default: break;
    }
    auto* p = reinterpret_cast<std::byte*>(address);
    if (recent_ && p >= recent_begin_ && p + bytes <= recent_begin_ + recent_->bytes) return p;
    recent_ = memory_.find(p, bytes);
    if (!recent_) fail(warp, at, lane, "out of bounds: " + memory_.describe(p));
    recent_begin_ = memory_.begin_of(p);
    return p;
}

} // namespace headroom::cuda::ptx
