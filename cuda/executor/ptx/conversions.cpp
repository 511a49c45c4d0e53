// cvt: between all number types, and into pairs.
#include "cuda/executor/ptx/arithmetic.h"

#include <cfenv>
#include <limits>
#include <utility>

namespace headroom::cuda::ptx {
namespace {

enum class To : u8 { nearest, zero, down, up, none };

double round_to_integer(double x, To to)
{
    switch (to) {
    case To::nearest: return std::nearbyint(x);
    case To::zero: return std::trunc(x);
    case To::down: return std::floor(x);
    case To::up: return std::ceil(x);
    case To::none: return x;
    }
    return x;
}

template <class D> D clamp(double x) // to the range of an integer type; NaN to 0
{
    using Limits = std::numeric_limits<D>;
    if (std::isnan(x)) return 0;
    if (x <= static_cast<double>(Limits::min())) return Limits::min();
    if (x >= std::ldexp(1.0, Limits::digits)) return Limits::max();
    return static_cast<D>(x);
}

template <class D, class S> D convert(S x, const Instruction& i)
{
    const auto to = static_cast<To>(i.count);
    if constexpr (is_float<S> && is_float<D>) {
        double value = widen(x);
        if (i.ftz && std::is_same_v<S, float>) value = widen(flushed(static_cast<float>(value)));
        D result = narrow<D>(round_to_integer(value, to));
        if (i.ftz) result = flushed(result);
        return i.saturate ? saturated(result) : result;
    } else if constexpr (is_float<S>) {
        return clamp<D>(round_to_integer(i.ftz ? widen(flushed(x)) : widen(x), to == To::none ? To::zero : to));
    } else if constexpr (std::is_floating_point_v<D>) {
        return static_cast<D>(x);
    } else if constexpr (is_float<D>) {
        return narrow<D>(static_cast<double>(x));
    } else {
        if (!i.saturate) return static_cast<D>(x);
        if (std::cmp_less(x, std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
        if (std::cmp_greater(x, std::numeric_limits<D>::max())) return std::numeric_limits<D>::max();
        return static_cast<D>(x);
    }
}

// Small integers fill the register that they are put into.
template <class D> void put(Warp& w, const Instruction& i, u32 lane, D value)
{
    if constexpr (std::is_integral_v<D> && sizeof(D) < 8) {
        using Wide = std::conditional_t<std::is_signed_v<D>, i64, u64>;
        using Word = std::conditional_t<std::is_signed_v<D>, i32, u32>;
        if (i.wide_result)
            w.set<Wide>(i.r[0], lane, Wide{value});
        else
            w.set<Word>(i.r[0], lane, Word{value});
    } else
        w.set<D>(i.r[0], lane, value);
}

template <class D> struct Into {
    template <class S> struct From {
        static void run(Warp& w, const Instruction& i, u32 lanes)
        {
            each_lane(lanes, [&](u32 lane) { put<D>(w, i, lane, convert<D, S>(w.get<S>(i.r[1], lane), i)); });
        }
    };
};
template <template <class> class Operation> Run pick_any(std::string_view type)
{
    if (const Run run = pick_integer<Operation>(type)) return run;
    return pick<Operation>(type, Named<u8>{"u8"}, Named<i8>{"s8"}, Named<float>{"f32"}, Named<double>{"f64"},
                           Named<Half>{"f16"}, Named<BFloat>{"bf16"});
}
template <class D> struct Picker {
    static Run from(std::string_view type) { return pick_any<Into<D>::template From>(type); }
};
Run pick_conversion(std::string_view to, std::string_view from)
{
    Run run = nullptr;
    const auto attempt = [&]<class D>(std::string_view name, Named<D>) {
        if (to == name) run = Picker<D>::from(from);
    };
    attempt("u8", Named<u8>{});
    attempt("s8", Named<i8>{});
    attempt("u16", Named<u16>{});
    attempt("s16", Named<i16>{});
    attempt("u32", Named<u32>{});
    attempt("s32", Named<i32>{});
    attempt("u64", Named<u64>{});
    attempt("s64", Named<i64>{});
    attempt("f16", Named<Half>{});
    attempt("bf16", Named<BFloat>{});
    attempt("f32", Named<float>{});
    attempt("f64", Named<double>{});
    return run;
}

// Two floats into a pair: the first operand is the upper half.
template <class H> void pair(Warp& w, const Instruction& i, u32 lanes)
{
    each_lane(lanes, [&](u32 lane) {
        const Pair<H> result{narrow<H>(widen(w.get<float>(i.r[2], lane))),
                             narrow<H>(widen(w.get<float>(i.r[1], lane)))};
        w.set<Pair<H>>(i.r[0], lane, result);
    });
}

double e4m3(u32 code)
{
    const int exponent = static_cast<int>(code >> 3 & 15), mantissa = static_cast<int>(code & 7);
    const double sign = code & 0x80 ? -1 : 1;
    if ((code & 0x7f) == 0x7f) return NAN;
    return sign * (exponent ? std::ldexp(8 + mantissa, exponent - 10) : std::ldexp(mantissa, -9));
}
void from_e4m3_pair(Warp& w, const Instruction& i, u32 lanes)
{
    each_lane(lanes, [&](u32 lane) {
        const u16 codes = w.get<u16>(i.r[1], lane);
        w.set<Pair<Half>>(i.r[0], lane, {narrow<Half>(e4m3(codes & 0xff)), narrow<Half>(e4m3(codes >> 8))});
    });
}
u32 to_e4m3(double x) // saturating
{
    if (std::isnan(x)) return 0x7f;
    const u32 sign = std::signbit(x) ? 0x80 : 0;
    const double magnitude = std::fabs(x);
    if (magnitude >= 448) return sign | 0x7e;
    if (magnitude == 0) return sign;
    const int exponent = std::max(std::ilogb(magnitude), -6);
    const double units = std::nearbyint(std::ldexp(magnitude, 3 - exponent)); // a carry moves into the exponent
    return sign | static_cast<u32>(units + 8 * (exponent + 6));
}
void to_e4m3_pair(Warp& w, const Instruction& i, u32 lanes)
{
    each_lane(lanes, [&](u32 lane) {
        const u32 high = to_e4m3(widen(w.get<float>(i.r[1], lane))), low = to_e4m3(widen(w.get<float>(i.r[2], lane)));
        w.set<u16>(i.r[0], lane, static_cast<u16>(high << 8 | low));
    });
}

// Integers into floats towards zero, down or up.
template <class D, class S> void directed(Warp& w, const Instruction& i, u32 lanes)
{
    const int old = std::fegetround();
    std::fesetround(static_cast<int>(i.number));
    each_lane(lanes, [&](u32 lane) {
        const volatile S x = w.get<S>(i.r[1], lane);
        const volatile D value = static_cast<D>(x);
        w.set<D>(i.r[0], lane, value);
    });
    std::fesetround(old);
}
Run pick_directed(std::string_view to, std::string_view from)
{
    const auto of = [&]<class D>(Named<D>) -> Run {
        if (from == "s32") return directed<D, i32>;
        if (from == "u32") return directed<D, u32>;
        if (from == "s64") return directed<D, i64>;
        if (from == "u64") return directed<D, u64>;
        if (from == "f64" && std::is_same_v<D, float>) return directed<D, double>;
        return nullptr;
    };
    return to == "f32" ? of(Named<float>{}) : to == "f64" ? of(Named<double>{}) : nullptr;
}

Instruction convert_statement(const Statement& s, Scope& scope)
{
    std::vector<std::string_view> types;
    for (const std::string& part : s.parts)
        if (bits_of(part)) types.push_back(part);
    if (types.size() != 2) unknown(s, "types");
    const auto to = types[0], from = types[1];
    if (from == "f32" && s.operands.size() == 3) {
        if (has_other_rounding(s) || s.has("relu")) unknown(s);
        const Run run = to == "f16x2"    ? pair<Half>
                        : to == "bf16x2" ? pair<BFloat>
                        : to == "e4m3x2" ? to_e4m3_pair
                                         : nullptr;
        return plain(s, scope, run, 32, 2);
    }
    if (to == "f16x2" && from == "e4m3x2") return plain(s, scope, from_e4m3_pair, 16, 1);
    if (has_other_rounding(s)) {
        Instruction i = plain(s, scope, pick_directed(to, from), bits_of(from), 1);
        i.number = rounding_mode(s);
        return i;
    }
    Instruction i = plain(s, scope, pick_conversion(to, from), bits_of(from), 1);
    i.count = static_cast<u8>(s.has("rni")   ? To::nearest
                              : s.has("rzi") ? To::zero
                              : s.has("rmi") ? To::down
                              : s.has("rpi") ? To::up
                                             : To::none);
    return i;
}

} // namespace

void add_conversions(Table& table) { table["cvt"] = convert_statement; }

} // namespace headroom::cuda::ptx
