#include "reference/contract/kernel_trace.h"

namespace headroom {

Index bytes_read(const KernelTrace& trace, std::string_view buffer)
{
    Index bytes = 0;
    for (const TracedSite& site : trace.sites) {
        const bool reads = site.op == Op::load || site.op == Op::async_copy;
        if (reads && site.buffer >= 0 && trace.buffers[static_cast<std::size_t>(site.buffer)].label == buffer)
            bytes += site.bytes;
    }
    return bytes;
}

} // namespace headroom
