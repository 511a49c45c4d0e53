// Logic and shifts, bit fields and counts, byte permutation.
#include "cuda/executor/ptx/arithmetic.h"

#include <algorithm>
#include <bit>

namespace headroom::cuda::ptx {
namespace {

// clang-format off
struct And { template <class T> auto operator()(T x, T y) const { return x & y; } };
struct Or { template <class T> auto operator()(T x, T y) const { return x | y; } };
struct Xor { template <class T> auto operator()(T x, T y) const { return x ^ y; } };
struct Not { template <class T> auto operator()(T x) const { return ~x; } };
struct LogicalNot { template <class T> auto operator()(T x) const { return x == 0; } };
// clang-format on

template <class Op, int sources> struct On {
    template <class T> using Bits = Integers<Op, T, sources>;
};

// On predicates, the same for all lanes at once.
template <class Op, int sources> void predicates(Warp& w, const Instruction& i, u32 lanes)
{
    u32 result;
    if constexpr (sources == 1)
        result = static_cast<u32>(Op{}(w.predicate(i.r[1])));
    else
        result = Op{}(w.predicate(i.r[1]), w.predicate(i.r[2]));
    u32& to = w.predicate(i.r[0]);
    to = (to & ~lanes) | (result & lanes);
}

template <class Op, int sources> Decoder logic()
{
    return [](const Statement& s, Scope& scope) {
        const auto type = type_of(s);
        const Run run = type == "pred" ? predicates<Op, sources> : pick_bits<On<Op, sources>::template Bits>(type);
        return plain(s, scope, run, bits_of(type), sources);
    };
}

// Shifts by the width or more give zero, or the sign.
template <class T> struct Left {
    static void run(Warp& w, const Instruction& i, u32 lanes)
    {
        each_lane(lanes, [&](u32 lane) {
            const u32 by = w.get<u32>(i.r[2], lane);
            w.set<T>(i.r[0], lane, by >= 8 * sizeof(T) ? T{0} : static_cast<T>(w.get<T>(i.r[1], lane) << by));
        });
    }
};
template <class T> struct Right {
    static void run(Warp& w, const Instruction& i, u32 lanes)
    {
        constexpr u32 width = 8 * sizeof(T);
        each_lane(lanes, [&](u32 lane) {
            const T x = w.get<T>(i.r[1], lane);
            const u32 by = w.get<u32>(i.r[2], lane);
            const T beyond = std::is_signed_v<T> ? static_cast<T>(x >> (width - 1)) : T{0};
            w.set<T>(i.r[0], lane, by >= width ? beyond : static_cast<T>(x >> by));
        });
    }
};
Instruction shift(const Statement& s, Scope& scope)
{
    const auto type = type_of(s);
    const Run run = s.opcode == "shl" ? pick_bits<Left>(type)
                    : type[0] == 'b'  ? pick_bits<Right>(type)
                                      : pick_integer<Right>(type);
    Instruction i = plain(s, scope, run, bits_of(type), 2);
    i.r[2] = scope.source(s.operands[2], 32);
    return i;
}

template <bool left, bool wrap> void funnel(Warp& w, const Instruction& i, u32 lanes)
{
    each_lane(lanes, [&](u32 lane) {
        const u64 both = u64{w.get<u32>(i.r[2], lane)} << 32 | w.get<u32>(i.r[1], lane);
        const u32 asked = w.get<u32>(i.r[3], lane), by = wrap ? asked & 31 : std::min(asked, 32u);
        w.set<u32>(i.r[0], lane, static_cast<u32>(left ? both << by >> 32 : both >> by));
    });
}

void lop3(Warp& w, const Instruction& i, u32 lanes)
{
    each_lane(lanes, [&](u32 lane) {
        const u32 a = w.get<u32>(i.r[1], lane), b = w.get<u32>(i.r[2], lane), c = w.get<u32>(i.r[3], lane);
        u32 result = 0;
        for (u32 row = 0; row < 8; ++row) // of the truth table
            if (i.number >> row & 1) result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
        w.set<u32>(i.r[0], lane, result);
    });
}

void prmt(Warp& w, const Instruction& i, u32 lanes)
{
    each_lane(lanes, [&](u32 lane) {
        const u64 bytes = u64{w.get<u32>(i.r[2], lane)} << 32 | w.get<u32>(i.r[1], lane);
        const u32 selector = w.get<u32>(i.r[3], lane);
        u32 result = 0;
        for (u32 n = 0; n < 4; ++n) {
            const u32 pick = selector >> 4 * n;
            u32 byte = static_cast<u32>(bytes >> 8 * (pick & 7)) & 0xff;
            if (pick & 8) byte = byte & 0x80 ? 0xff : 0; // its sign, repeated
            result |= byte << 8 * n;
        }
        w.set<u32>(i.r[0], lane, result);
    });
}

template <class T> struct Extract { // bfe: `length` bits from `position`; signed: the sign is extended
    static void run(Warp& w, const Instruction& i, u32 lanes)
    {
        constexpr u32 width = 8 * sizeof(T);
        each_lane(lanes, [&](u32 lane) {
            const u64 x = static_cast<u64>(static_cast<i64>(w.get<T>(i.r[1], lane)));
            const u32 position = std::min(w.get<u32>(i.r[2], lane) & 0xff, 63u),
                      length = w.get<u32>(i.r[3], lane) & 0xff;
            u64 field = 0;
            if (length) {
                field = std::is_signed_v<T> ? static_cast<u64>(static_cast<i64>(x) >> position)
                                            : (width == 64 ? x : x & 0xffffffff) >> position;
                if (length < 64) {
                    field &= (u64{1} << length) - 1;
                    if (std::is_signed_v<T> && field >> (length - 1) & 1) field |= ~u64{0} << length;
                }
            }
            w.set<T>(i.r[0], lane, static_cast<T>(field));
        });
    }
};
template <class T> struct Insert { // bfi: a into b
    static void run(Warp& w, const Instruction& i, u32 lanes)
    {
        each_lane(lanes, [&](u32 lane) {
            const u32 position = w.get<u32>(i.r[3], lane) & 0xff, length = w.get<u32>(i.r[4], lane) & 0xff;
            const u64 ones = length >= 64 ? ~u64{0} : (u64{1} << length) - 1;
            const u64 mask = position >= 64 ? 0 : ones << position;
            const u64 a = position >= 64 ? 0 : u64{w.get<T>(i.r[1], lane)} << position;
            w.set<T>(i.r[0], lane, static_cast<T>((w.get<T>(i.r[2], lane) & ~mask) | (a & mask)));
        });
    }
};
Instruction field(const Statement& s, Scope& scope)
{
    const auto type = type_of(s);
    const bool extract = s.opcode == "bfe";
    Instruction i = plain(s, scope, extract ? pick_integer<Extract>(type) : pick_bits<Insert>(type), bits_of(type),
                          extract ? 3 : 4);
    for (std::size_t n = extract ? 2 : 3; n < s.operands.size(); ++n) i.r[n] = scope.source(s.operands[n], 32);
    return i;
}

struct Population {
    template <class T> u32 operator()(T x) const { return static_cast<u32>(std::popcount(bits(x))); }
};
struct LeadingZeroes {
    template <class T> u32 operator()(T x) const { return static_cast<u32>(std::countl_zero(bits(x))); }
};
template <bool from_top> struct HighestBit { // that differs from the sign; none: all ones
    template <class T> u32 operator()(T x) const
    {
        const auto magnitude = std::is_signed_v<T> && x < T{0} ? static_cast<std::make_unsigned_t<T>>(~x) : bits(x);
        if (magnitude == 0) return ~0u;
        const auto zeroes = static_cast<u32>(std::countl_zero(magnitude));
        return from_top ? zeroes : static_cast<u32>(8 * sizeof(T) - 1) - zeroes;
    }
};
// The result of a count has 32 bits whatever it counts.
template <class Op> struct Counted {
    template <class T> struct Of {
        static void run(Warp& w, const Instruction& i, u32 lanes)
        {
            each_lane(lanes, [&](u32 lane) { w.set<u32>(i.r[0], lane, Op{}(w.get<T>(i.r[1], lane))); });
        }
    };
};
template <class Op> Decoder counts()
{
    return [](const Statement& s, Scope& scope) {
        const auto type = type_of(s);
        const Run run =
            type[0] == 'b' ? pick_bits<Counted<Op>::template Of>(type) : pick_integer<Counted<Op>::template Of>(type);
        return plain(s, scope, run, bits_of(type), 1);
    };
}

template <class T> struct Reverse {
    static void run(Warp& w, const Instruction& i, u32 lanes)
    {
        each_lane(lanes, [&](u32 lane) {
            const T x = w.get<T>(i.r[1], lane);
            T reversed = 0;
            for (u32 n = 0; n < 8 * sizeof(T); ++n) reversed = static_cast<T>(reversed << 1 | (x >> n & 1));
            w.set<T>(i.r[0], lane, reversed);
        });
    }
};

} // namespace

void add_bits(Table& table)
{
    table["and"] = logic<And, 2>();
    table["or"] = logic<Or, 2>();
    table["xor"] = logic<Xor, 2>();
    table["not"] = logic<Not, 1>();
    table["cnot"] = [](const Statement& s, Scope& scope) {
        return plain(s, scope, pick_bits<On<LogicalNot, 1>::Bits>(type_of(s)), bits_of(type_of(s)), 1);
    };
    table["shl"] = table["shr"] = shift;
    table["shf"] = [](const Statement& s, Scope& scope) {
        const bool wrap = s.has("wrap");
        if (!wrap && !s.has("clamp")) unknown(s);
        return plain(s, scope,
                     s.has("l") ? (wrap ? funnel<true, true> : funnel<true, false>)
                                : (wrap ? funnel<false, true> : funnel<false, false>),
                     32, 3);
    };
    table["lop3"] = [](const Statement& s, Scope& scope) {
        if (s.has("or") || s.has("and")) unknown(s);
        Instruction i = plain(s, scope, lop3, 32, 4);
        i.number = static_cast<u32>(s.operands[4].number);
        return i;
    };
    table["prmt"] = [](const Statement& s, Scope& scope) {
        if (s.parts.size() != 1) unknown(s);
        return plain(s, scope, prmt, 32, 3);
    };
    table["bfe"] = table["bfi"] = field;
    table["popc"] = counts<Population>();
    table["clz"] = counts<LeadingZeroes>();
    table["bfind"] = [](const Statement& s, Scope& scope) {
        return s.has("shiftamt") ? counts<HighestBit<true>>()(s, scope) : counts<HighestBit<false>>()(s, scope);
    };
    table["brev"] = [](const Statement& s, Scope& scope) {
        return plain(s, scope, pick_bits<Reverse>(type_of(s)), bits_of(type_of(s)), 1);
    };
}

} // namespace headroom::cuda::ptx
