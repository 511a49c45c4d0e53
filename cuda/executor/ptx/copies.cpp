// cp.async: 4, 8 or 16 bytes from global to shared memory. They land when their thread waits for them.
#include "cuda/executor/ptx/addresses.h"

#include <algorithm>
#include <cstring>

namespace headroom::cuda::ptx {
namespace {

// r: shared address, global address, bytes to read (the rest is zero)
void start(Warp& w, const Instruction& i, u32 lanes)
{
    each_lane(lanes, [&](u32 lane) {
        const u64 to =
            i.saturate ? w.get<u64>(i.r[0], lane) : w.get<u32>(i.r[0], lane); // `saturate`: a 64-bit register
        const u32 bytes = std::min(w.get<u32>(i.r[2], lane), i.number);
        Machine& machine = *w.machine;
        const u64 offset = static_cast<u64>(i.offset);
        std::byte* shared = machine.memory(Space::shared, to + offset, i.number, w, i, lane);
        const std::byte* global = nullptr;
        if (bytes) global = machine.memory(Space::global, w.get<u64>(i.r[1], lane) + i.target, i.number, w, i, lane);
        Machine::Copies& copies = machine.copies(w, lane);
        copies.pending.push_back({shared, global, bytes, i.number - bytes, copies.groups});
    });
}

void commit(Warp& w, const Instruction&, u32 lanes)
{
    each_lane(lanes, [&](u32 lane) { ++w.machine->copies(w, lane).groups; });
}

// number: how many of the newest groups may stay under way; nowhere: none, committed or not
void wait(Warp& w, const Instruction& i, u32 lanes)
{
    each_lane(lanes, [&](u32 lane) {
        Machine::Copies& copies = w.machine->copies(w, lane);
        std::erase_if(copies.pending, [&](const Machine::Copy& copy) {
            if (i.number != nowhere && copy.group + i.number >= copies.groups) return false;
            if (copy.bytes) std::memcpy(copy.to, copy.from, copy.bytes);
            std::memset(copy.to + copy.bytes, 0, copy.zeroes);
            return true;
        });
    });
}

Instruction copy(const Statement& s, Scope& scope)
{
    Instruction i;
    if (s.parts.empty() || s.parts[0] != "async" || s.has("bulk") || s.has("mbarrier")) unknown(s);
    if (s.has("commit_group")) {
        i.run = commit;
        return i;
    }
    if (s.has("wait_group") || s.has("wait_all")) {
        i.run = wait;
        i.number = s.has("wait_all") ? nowhere : static_cast<u32>(s.operands.at(0).number);
        return i;
    }
    if (s.operands.size() != 3 && s.operands.size() != 4) unknown(s, "operands");
    i.run = start;
    i.number = static_cast<u32>(s.operands[2].number);
    if (i.number != 4 && i.number != 8 && i.number != 16) unknown(s, "size");
    set_address(i, 1, s.operands[1], s, scope);
    i.target = static_cast<u32>(i.offset); // the offsets of both addresses
    if (!i.wide_address || i.offset < 0) unknown(s, "address");
    set_address(i, 0, s.operands[0], s, scope);
    i.saturate = i.wide_address;
    i.r[2] = s.operands.size() == 4 ? scope.source(s.operands[3], 32) : scope.constant(i.number, 32);
    return i;
}

} // namespace

void add_copies(Table& table) { table["cp"] = copy; }

} // namespace headroom::cuda::ptx
