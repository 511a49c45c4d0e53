// setp, set, selp. A comparison is four bits: whether it holds for less, equal, greater, unordered.
#include "cuda/executor/ptx/arithmetic.h"

namespace headroom::cuda::ptx {
namespace {

constexpr u32 less = 1, equal = 2, greater = 4, unordered = 8;

u32 relation(std::string_view name, const Statement& s)
{
    static const std::map<std::string_view, u32> relations = {{"eq", equal},
                                                              {"ne", less | greater},
                                                              {"lt", less},
                                                              {"le", less | equal},
                                                              {"gt", greater},
                                                              {"ge", greater | equal},
                                                              {"lo", less},
                                                              {"ls", less | equal},
                                                              {"hi", greater},
                                                              {"hs", greater | equal},
                                                              {"equ", equal | unordered},
                                                              {"neu", less | greater | unordered},
                                                              {"ltu", less | unordered},
                                                              {"leu", less | equal | unordered},
                                                              {"gtu", greater | unordered},
                                                              {"geu", greater | equal | unordered},
                                                              {"num", less | equal | greater},
                                                              {"nan", unordered}};
    const auto it = relations.find(name);
    if (it == relations.end()) unknown(s, "comparison");
    return it->second;
}

template <class T> u32 compare(T x, T y)
{
    if constexpr (is_float<T>) {
        const double a = widen(x), b = widen(y);
        return std::isnan(a) || std::isnan(b) ? unordered : a < b ? less : a == b ? equal : greater;
    } else
        return x < y ? less : x == y ? equal : greater;
}

template <class T> u32 holds(Warp& w, const Instruction& i, u32 lanes)
{
    u32 result = 0;
    each_lane(lanes, [&](u32 lane) {
        const auto in = [&](u32 r) { return i.ftz ? flushed(w.get<T>(r, lane)) : w.get<T>(r, lane); };
        result |= u32{(compare(in(i.r[2]), in(i.r[3])) & i.number) != 0} << lane;
    });
    return result;
}

enum Combination : u8 { alone, with_and, with_or, with_xor };
u32 combine(u8 how, u32 a, u32 b)
{
    return how == with_and ? a & b : how == with_or ? a | b : how == with_xor ? a ^ b : a;
}

// r: p, q, a, b, c. p = (a ~ b) . c, q = !(a ~ b) . c
template <class T> struct SetPredicate {
    static void run(Warp& w, const Instruction& i, u32 lanes)
    {
        const u32 result = holds<T>(w, i, lanes), c = i.count ? w.predicate(i.r[4]) : 0;
        u32& p = w.predicate(i.r[0]);
        u32& q = w.predicate(i.r[1]);
        q = (q & ~lanes) | (combine(i.count, ~result, c) & lanes);
        p = (p & ~lanes) | (combine(i.count, result, c) & lanes);
    }
};
Instruction set_predicate(const Statement& s, Scope& scope)
{
    const auto type = type_of(s);
    if (s.operands.size() != 3 && s.operands.size() != 4) unknown(s, "operands");
    Run run = pick_integer<SetPredicate>(type);
    if (!run) run = pick_bits<SetPredicate>(type);
    if (!run)
        run = pick<SetPredicate>(type, Named<float>{"f32"}, Named<double>{"f64"}, Named<Half>{"f16"},
                                 Named<BFloat>{"bf16"});
    if (!run) unknown(s, "type");
    Instruction i;
    i.run = run;
    i.number = relation(s.parts.at(0), s);
    i.count = s.has("and") ? with_and : s.has("or") ? with_or : s.has("xor") ? with_xor : alone;
    if ((i.count != alone) != (s.operands.size() == 4)) unknown(s, "operands");
    const Operand& to = s.operands[0];
    i.r[0] = scope.destination(to);
    i.r[1] = scope.destination(to.has_predicate ? to.elements[0] : Operand{});
    for (std::size_t n = 1; n < 3; ++n) i.r[n + 1] = scope.source(s.operands[n], bits_of(type));
    if (i.count) i.r[4] = scope.source(s.operands[3], 1);
    i.ftz = s.has("ftz");
    return i;
}

// set: all ones, or 1.0, where the comparison holds.
template <class T> struct SetValue {
    static void run(Warp& w, const Instruction& i, u32 lanes)
    {
        const u32 result = holds<T>(w, i, lanes), yes = i.saturate ? std::bit_cast<u32>(1.0f) : ~0u;
        each_lane(lanes, [&](u32 lane) { w.set<u32>(i.r[0], lane, result >> lane & 1 ? yes : 0); });
    }
};
Instruction set_value(const Statement& s, Scope& scope)
{
    const std::string& to = s.parts.at(s.parts.size() - 2);
    const std::string& from = s.parts.back();
    if (bits_of(to) != 32) unknown(s, "result");
    Run run = pick_integer<SetValue>(from);
    if (!run) run = pick<SetValue>(from, Named<float>{"f32"}, Named<double>{"f64"}, Named<u32>{"b32"});
    if (!run) unknown(s, "type");
    check_operands(s, 3);
    Instruction i;
    i.run = run;
    i.number = relation(s.parts.at(0), s);
    i.saturate = to == "f32";
    i.ftz = s.has("ftz");
    i.r[0] = scope.destination(s.operands[0]);
    for (std::size_t n = 1; n < 3; ++n) i.r[n + 1] = scope.source(s.operands[n], bits_of(from));
    return i;
}

template <class T> struct Select {
    static void run(Warp& w, const Instruction& i, u32 lanes)
    {
        const u32 p = w.predicate(i.r[3]);
        each_lane(lanes, [&](u32 lane) { w.set<T>(i.r[0], lane, w.get<T>(i.r[p >> lane & 1 ? 1 : 2], lane)); });
    }
};
Instruction select(const Statement& s, Scope& scope)
{
    const int bits = bits_of(type_of(s));
    Instruction i = plain(s, scope,
                          bits == 16   ? Select<u16>::run
                          : bits == 32 ? Select<u32>::run
                                       : Select<u64>::run,
                          bits, 3);
    i.r[3] = scope.source(s.operands[3], 1);
    return i;
}

} // namespace

void add_comparisons(Table& table)
{
    table["setp"] = set_predicate;
    table["set"] = set_value;
    table["selp"] = select;
}

} // namespace headroom::cuda::ptx
