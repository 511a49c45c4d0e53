// shfl, vote, redux, activemask.
#include "cuda/executor/ptx/meetings.h"

#include "cuda/executor/ptx/arithmetic.h"
#include "cuda/executor/ptx/machine.h"

#include <algorithm>
#include <fmt/format.h>

namespace headroom::cuda::ptx {
namespace {

enum class Shuffle : u8 { up, down, bfly, idx };

// r: d, p, a, b, c. PTX ISA, shfl.sync: c holds the segment mask (bits 8-12) and the bound (bits 0-4).
template <Shuffle mode> void shuffle(Warp& w, const Instruction& i, u32 lanes)
{
    std::array<u32, 32> values = {}, results = {};
    u32 in_range = 0;
    each_lane(lanes, [&](u32 lane) { values[lane] = w.get<u32>(i.r[2], lane); });
    each_lane(lanes, [&](u32 lane) {
        const u32 b = w.get<u32>(i.r[3], lane) & 31, c = w.get<u32>(i.r[4], lane);
        const u32 segment = c >> 8 & 31, bound = (lane & segment) | (c & 31 & ~segment);
        u32 source = lane;
        bool valid = false;
        if constexpr (mode == Shuffle::up) {
            source = lane - b;
            valid = static_cast<i32>(source) >= static_cast<i32>(bound);
        } else {
            source = mode == Shuffle::down   ? lane + b
                     : mode == Shuffle::bfly ? lane ^ b
                                             : (lane & segment) | (b & ~segment);
            valid = source <= bound;
        }
        if (!valid) source = lane;
        if (!(lanes >> source & 1))
            w.machine->fail(w, i, lane, fmt::format("reads lane {}, which the mask does not name", source));
        results[lane] = values[source];
        in_range |= u32{valid} << lane;
    });
    each_lane(lanes, [&](u32 lane) { w.set<u32>(i.r[0], lane, results[lane]); });
    u32& p = w.predicate(i.r[1]);
    p = (p & ~lanes) | in_range;
}
Instruction shuffle_statement(const Statement& s, Scope& scope)
{
    check_operands(s, 5);
    Instruction i;
    i.flow = Flow::meeting;
    i.run = s.has("up")     ? shuffle<Shuffle::up>
            : s.has("down") ? shuffle<Shuffle::down>
            : s.has("bfly") ? shuffle<Shuffle::bfly>
            : s.has("idx")  ? shuffle<Shuffle::idx>
                            : nullptr;
    if (!i.run || !s.has("sync")) unknown(s);
    const Operand& to = s.operands[0];
    i.r[0] = scope.destination(to);
    i.r[1] = scope.destination(to.has_predicate ? to.elements[0] : Operand{});
    for (std::size_t n = 1; n < 4; ++n) i.r[n + 1] = scope.source(s.operands[n], 32);
    i.mask = scope.source(s.operands[4], 32);
    return i;
}

enum class Vote : u8 { all, any, uni, ballot };
template <Vote vote> void votes(Warp& w, const Instruction& i, u32 lanes)
{
    const u32 yes = w.predicate(i.r[1]) & lanes;
    if constexpr (vote == Vote::ballot) {
        each_lane(lanes, [&](u32 lane) { w.set<u32>(i.r[0], lane, yes); });
    } else {
        const bool result = vote == Vote::all ? yes == lanes : vote == Vote::any ? yes != 0 : yes == 0 || yes == lanes;
        u32& p = w.predicate(i.r[0]);
        p = (p & ~lanes) | (result ? lanes : 0);
    }
}
Instruction vote_statement(const Statement& s, Scope& scope)
{
    const Run run = s.has("ballot") ? votes<Vote::ballot>
                    : s.has("all")  ? votes<Vote::all>
                    : s.has("any")  ? votes<Vote::any>
                    : s.has("uni")  ? votes<Vote::uni>
                                    : nullptr;
    if (!s.has("sync")) unknown(s);
    Instruction i = plain(s, scope, run, 1, 2);
    i.mask = scope.source(s.operands[2], 32);
    i.flow = Flow::meeting;
    return i;
}

template <class Op> struct Reduce {
    template <class T> struct On {
        static void run(Warp& w, const Instruction& i, u32 lanes)
        {
            T result = w.get<T>(i.r[1], static_cast<u32>(std::countr_zero(lanes)));
            each_lane(lanes & (lanes - 1),
                      [&](u32 lane) { result = static_cast<T>(Op{}(result, w.get<T>(i.r[1], lane))); });
            each_lane(lanes, [&](u32 lane) { w.set<T>(i.r[0], lane, result); });
        }
    };
};
// clang-format off
struct Sum { template <class T> auto operator()(T x, T y) const { return bits(x) + bits(y); } };
struct Least { template <class T> T operator()(T x, T y) const { return std::min(x, y); } };
struct Most { template <class T> T operator()(T x, T y) const { return std::max(x, y); } };
struct And { template <class T> T operator()(T x, T y) const { return x & y; } };
struct Or { template <class T> T operator()(T x, T y) const { return x | y; } };
struct Xor { template <class T> T operator()(T x, T y) const { return x ^ y; } };
// clang-format on
template <class Op> Run pick_reduce(std::string_view type)
{
    return pick<Reduce<Op>::template On>(type, Named<u32>{"u32"}, Named<i32>{"s32"}, Named<u32>{"b32"});
}
Instruction reduce_statement(const Statement& s, Scope& scope)
{
    const auto type = type_of(s);
    Run run = nullptr;
    if (s.has("add")) run = pick_reduce<Sum>(type);
    if (s.has("min")) run = pick_reduce<Least>(type);
    if (s.has("max")) run = pick_reduce<Most>(type);
    if (s.has("and")) run = pick_reduce<And>(type);
    if (s.has("or")) run = pick_reduce<Or>(type);
    if (s.has("xor")) run = pick_reduce<Xor>(type);
    Instruction i = plain(s, scope, run, 32, 2);
    i.mask = i.r[2];
    i.flow = Flow::meeting;
    return i;
}

void active_lanes(Warp& w, const Instruction& i, u32 lanes)
{
    each_lane(lanes, [&](u32 lane) { w.set<u32>(i.r[0], lane, lanes); });
}

} // namespace

void add_meetings(Table& table)
{
    table["shfl"] = shuffle_statement;
    table["vote"] = vote_statement;
    table["redux"] = reduce_statement;
    table["activemask"] = [](const Statement& s, Scope& scope) { return plain(s, scope, active_lanes, 32, 0); };
}

} // namespace headroom::cuda::ptx
