// What one launch of a traced kernel did to memory. The simt executor fills it, the recording stores it, the Kernel scene
// draws it.
//
//     request     one instruction of one warp, with up to 32 lanes
//     sector      32 bytes of global memory, the least that is moved; four make a line of 128 bytes
//     wavefront   one turn of shared memory, in which each of its 32 banks (four bytes wide: bank = offset / 4 % 32)
//                 serves one word. More wavefronts than ideal are bank conflicts
#pragma once
#include "reference/tensor/tensor.h"
#include <array>

namespace headroom {

enum class Space : std::uint8_t { global, shared };
enum class Op : std::uint8_t { load, store, async_copy, barrier, shuffle, matrix };

struct TracedBuffer {
    std::string label; // "q", "k", "v", "output", "partial_state": the label it was allocated with
    Index bytes;
};
struct TracedSite { // one line of kernel source
    std::string file;
    int line;
    Op op;
    Space space;
    int buffer; // index into buffers, -1: shared
    Index requests, lanes, bytes;
    Index sectors;                      // of global memory
    Index wavefronts, ideal_wavefronts; // of shared memory
    Index ideal_sectors = 0;            // if what was asked for lay side by side
};
struct TracedBlock { // what one block asked of one buffer
    std::uint32_t block;
    int buffer;
    Index bytes_read, bytes_written, sectors;
    Index first, end; // it touched bytes [first, end) of the buffer
};
// One request, in order. Of Hopper's copy engine, which moves rows of a box for a whole block: the rows are the lanes.
struct TracedEvent {
    std::uint32_t block;
    std::uint16_t warp, site;
    std::uint32_t lanes;               // mask
    std::uint32_t bytes;               // of each lane
    std::uint16_t cost, ideal;         // global: sectors; shared: wavefronts
    std::array<Index, 32> offset = {}; // bytes into the buffer or shared memory, -1: lane absent
};
struct KernelTrace {
    std::string step; // the kernel's name
    std::array<unsigned, 3> grid, block;
    std::vector<TracedBuffer> buffers;
    std::vector<TracedSite> sites;
    std::vector<TracedBlock> blocks;
    std::vector<TracedEvent> events; // of the blocks that were asked for
    std::vector<std::string> faults; // races, uninitialised reads, out of bounds
};
Index bytes_read(const KernelTrace& trace, std::string_view buffer);

// Where blocks share the keys of a row, each leaves a softmax over its part of them, to be merged.
struct KernelPart {
    Index block, b, hkv; // block: its linear number in the launch that walks the keys (L > 1: of the first query)
    Index from, to;      // keys [from, to)
};
struct PartialResults {
    std::vector<KernelPart> parts = {};
    Tensor max = {}, sum = {}; // [parts, group_size, L]
    Tensor output = {};        // [parts, group_size, L, Dv], not yet divided by the sum
};

} // namespace headroom
