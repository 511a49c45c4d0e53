// mov, and cvta, which turns addresses of a space into generic ones and back.
#include "cuda/executor/ptx/arithmetic.h"
#include "cuda/executor/ptx/machine.h"

namespace headroom::cuda::ptx {
namespace {

template <class T> void move(Warp& w, const Instruction& i, u32 lanes)
{
    each_lane(lanes, [&](u32 lane) { w.set<T>(i.r[0], lane, w.get<T>(i.r[1], lane)); });
}
void move_predicate(Warp& w, const Instruction& i, u32 lanes)
{
    u32& to = w.predicate(i.r[0]);
    to = (to & ~lanes) | (w.predicate(i.r[1]) & lanes);
}

u64 element(Warp& w, u32 r, u32 lane, u32 bits)
{
    const u32 x = w.get<u32>(r, lane);
    return bits == 32 ? x : x & ((1u << bits) - 1);
}
// r: the whole, then its elements from the lowest; `number`: bits of an element
void pack(Warp& w, const Instruction& i, u32 lanes)
{
    each_lane(lanes, [&](u32 lane) {
        u64 whole = 0;
        for (u32 e = 0; e < i.count; ++e) whole |= element(w, i.r[1 + e], lane, i.number) << i.number * e;
        if (i.wide_result)
            w.set<u64>(i.r[0], lane, whole);
        else
            w.set<u32>(i.r[0], lane, static_cast<u32>(whole));
    });
}
void unpack(Warp& w, const Instruction& i, u32 lanes)
{
    each_lane(lanes, [&](u32 lane) {
        const u64 whole = i.wide_result ? w.get<u64>(i.r[0], lane) : w.get<u32>(i.r[0], lane);
        for (u32 e = 0; e < i.count; ++e) {
            const u64 part = whole >> i.number * e;
            w.set<u32>(i.r[1 + e], lane, static_cast<u32>(i.number == 32 ? part : part & ((u64{1} << i.number) - 1)));
        }
    });
}

Instruction move_statement(const Statement& s, Scope& scope)
{
    const int bits = bits_of(type_of(s));
    check_operands(s, 2);
    const bool packs = s.operands[1].kind == Operand::Kind::vector;
    if (!packs && s.operands[0].kind != Operand::Kind::vector)
        return plain(s, scope,
                     bits == 1    ? move_predicate
                     : bits == 64 ? move<u64>
                     : bits == 16 ? move<u16>
                                  : move<u32>,
                     bits, 1);
    const Operand &whole = s.operands[packs ? 0 : 1], &parts = s.operands[packs ? 1 : 0];
    Instruction i;
    i.run = packs ? pack : unpack;
    i.count = static_cast<u8>(parts.elements.size());
    i.number = static_cast<u32>(bits) / i.count;
    i.wide_result = bits == 64;
    if (bits > 64 || i.number > 32 || i.count > 8) unknown(s, "elements");
    i.r[0] = packs ? scope.destination(whole) : scope.source(whole, bits);
    for (std::size_t e = 0; e < i.count; ++e)
        i.r[1 + e] = packs ? scope.source(parts.elements[e], 32) : scope.destination(parts.elements[e]);
    return i;
}

template <u64 window, bool to_generic> void address(Warp& w, const Instruction& i, u32 lanes)
{
    each_lane(lanes, [&](u32 lane) {
        const u64 a = w.get<u64>(i.r[1], lane);
        w.set<u64>(i.r[0], lane, to_generic ? (a < window ? a + window : a) : a & ~window);
    });
}

Instruction convert_address(const Statement& s, Scope& scope)
{
    if (type_of(s) != "u64") unknown(s, "32-bit addresses");
    const bool back = s.has("to");
    Run run = nullptr;
    if (s.has("global")) run = move<u64>;
    if (s.has("shared")) run = back ? address<Machine::shared_window, false> : address<Machine::shared_window, true>;
    if (s.has("param"))
        run = back ? address<Machine::parameter_window, false> : address<Machine::parameter_window, true>;
    if (s.has("local")) run = back ? address<Machine::local_window, false> : address<Machine::local_window, true>;
    return plain(s, scope, run, 64, 1);
}

} // namespace

void add_moves(Table& table)
{
    table["mov"] = move_statement;
    table["cvta"] = convert_address;
}

} // namespace headroom::cuda::ptx
