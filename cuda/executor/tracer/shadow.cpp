#include "cuda/executor/tracer/shadow.h"

#include <fmt/format.h>

namespace headroom::cuda::tracer {

void Shadow::clear()
{
    std::fill_n(bytes_.begin(), used_, Byte{});
    used_ = 0;
}

std::string Shadow::access(unsigned thread, std::size_t offset, std::size_t bytes, bool writes, const Clocks& clocks,
                           std::size_t& byte)
{
    used_ = std::max(used_, offset + bytes);
    std::string wrong;
    for (std::size_t i = offset; i < offset + bytes; ++i) {
        Byte& b = bytes_[i];
        const Time mine{static_cast<std::uint16_t>(thread), clocks.now(thread)};
        const auto races = [&](const Time& other) { return !clocks.before(other.thread, other.when, thread); };
        if (wrong.empty()) {
            byte = i;
            if (!writes && !b.initialised) wrong = fmt::format("uninitialised read by thread {}", thread);
            if (b.has_writer && races(b.writer))
                wrong = fmt::format("race: thread {} {} what thread {} wrote, with no barrier between", thread,
                                    writes ? "overwrites" : "reads", b.writer.thread);
            for (const Time& reader : b.readers)
                if (writes && races(reader))
                    wrong = fmt::format("race: thread {} overwrites what thread {} reads, with no barrier between",
                                        thread, reader.thread);
        }
        if (writes) {
            b.initialised = b.has_writer = true;
            b.writer = mine;
            b.readers.clear();
        } else {
            const auto same =
                std::find_if(b.readers.begin(), b.readers.end(), [&](const Time& r) { return r.thread == thread; });
            if (same != b.readers.end())
                *same = mine;
            else
                b.readers.push_back(mine);
        }
    }
    return wrong;
}

void Shadow::under_way(std::size_t offset, std::size_t bytes)
{
    for (std::size_t i = offset; i < offset + bytes; ++i) bytes_[i].initialised = false;
}

void Shadow::written(std::size_t offset, std::size_t bytes)
{
    used_ = std::max(used_, offset + bytes);
    for (std::size_t i = offset; i < offset + bytes; ++i) {
        bytes_[i] = {};
        bytes_[i].initialised = true;
    }
}

} // namespace headroom::cuda::tracer
