// Addresses of instructions that touch memory.
#pragma once
#include "cuda/executor/ptx/decode.h"
#include "cuda/executor/ptx/machine.h"

namespace headroom::cuda::ptx {

inline Space space_of(const Statement& s)
{
    for (const std::string& part : s.parts) {
        const std::string_view name = std::string_view(part).substr(0, part.find(':'));
        if (name == "global") return Space::global;
        if (name == "shared") return Space::shared;
        if (name == "param") return Space::parameter;
        if (name == "local") return Space::local;
    }
    return Space::generic;
}

// Puts the base register of an address into i.r[at].
inline void set_address(Instruction& i, std::size_t at, const Operand& operand, const Statement& s, Scope& scope)
{
    if (operand.kind != Operand::Kind::address) unknown(s, "address");
    i.r[at] = scope.source(operand, 64);
    const bool is_register = scope.find_register(operand.name) != nullptr;
    i.wide_address = !is_register || scope.is_wide(operand);
    i.offset = operand.offset;
}
inline u64 address(const Warp& w, const Instruction& i, std::size_t at, u32 lane)
{
    const u64 base = i.wide_address ? w.get<u64>(i.r[at], lane) : w.get<u32>(i.r[at], lane);
    const u64 sum = base + static_cast<u64>(i.offset);
    return i.wide_address ? sum : sum & 0xffffffff;
}
inline std::byte* locate(Warp& w, const Instruction& i, std::size_t at, u32 lane, u32 bytes)
{
    return w.machine->memory(static_cast<Space>(i.space), address(w, i, at, lane), bytes, w, i, lane);
}

} // namespace headroom::cuda::ptx
