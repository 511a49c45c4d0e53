// What a traced kernel did to memory. The simt executor fills it, the recording stores it, the Kernel scene draws it.
#pragma once
#include "reference/tensor/tensor.h"
#include <array>

namespace headroom {

enum class Space : std::uint8_t { global, shared };
enum class Op : std::uint8_t { load, store, async_copy, barrier, shuffle, matrix };

struct TracedBuffer {
    std::string label; // "q", "k", "v", "output", "partial_sum": the label it was allocated with
    Index bytes;
};
struct TracedSite { // one line of kernel source
    std::string file;
    int line;
    Op op;
    Space space;
    int buffer; // index into buffers, -1: shared
    Index requests, lanes, bytes, sectors, wavefronts, ideal_wavefronts;
};
struct TracedEvent { // one warp, one instruction, in order
    std::uint32_t block;
    std::uint16_t warp, site;
    std::uint32_t lanes;                 // mask
    std::array<std::int32_t, 32> offset; // bytes into the buffer, -1: lane absent
};
struct KernelTrace {
    std::string step;
    std::array<unsigned, 3> grid, block;
    std::vector<TracedBuffer> buffers;
    std::vector<TracedSite> sites;
    std::vector<TracedEvent> events; // of the blocks that were asked for
    std::vector<std::string> faults; // races, uninitialised reads, out of bounds
};
Index bytes_read(const KernelTrace& trace, std::string_view buffer);

} // namespace headroom
