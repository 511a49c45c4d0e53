// add, sub, mul, mad, fma, div, rem, min, max, neg, abs, and the functions of one float.
#include "cuda/executor/ptx/arithmetic.h"

#include <algorithm>

namespace headroom::cuda::ptx {
namespace {

// clang-format off
struct FloatAdd { template <class T> T operator()(T x, T y) const { return x + y; } };
struct FloatSub { template <class T> T operator()(T x, T y) const { return x - y; } };
struct FloatMul { template <class T> T operator()(T x, T y) const { return x * y; } };
struct FloatDiv { template <class T> T operator()(T x, T y) const { return x / y; } };
struct FloatFma { template <class T> T operator()(T x, T y, T z) const { return std::fma(x, y, z); } };
struct FloatNeg { template <class T> T operator()(T x) const { return -x; } };
struct FloatAbs { template <class T> T operator()(T x) const { return std::fabs(x); } };
struct FloatMin { template <class T> T operator()(T x, T y) const { return x == y ? (std::signbit(x) ? x : y) : std::fmin(x, y); } };
struct FloatMax { template <class T> T operator()(T x, T y) const { return x == y ? (std::signbit(x) ? y : x) : std::fmax(x, y); } };
struct FloatMinNan { template <class T> T operator()(T x, T y) const { return std::isnan(x) || std::isnan(y) ? T(NAN) : FloatMin{}(x, y); } };
struct FloatMaxNan { template <class T> T operator()(T x, T y) const { return std::isnan(x) || std::isnan(y) ? T(NAN) : FloatMax{}(x, y); } };
struct CopySign { template <class T> T operator()(T sign, T x) const { return std::copysign(x, sign); } };
struct Reciprocal { template <class T> T operator()(T x) const { return 1 / x; } };
struct Root { template <class T> T operator()(T x) const { return std::sqrt(x); } };
struct ReciprocalRoot { template <class T> T operator()(T x) const { return 1 / std::sqrt(x); } };
struct Exp2 { template <class T> T operator()(T x) const { return std::exp2(x); } };
struct Log2 { template <class T> T operator()(T x) const { return std::log2(x); } };
struct Sine { template <class T> T operator()(T x) const { return std::sin(x); } };
struct Cosine { template <class T> T operator()(T x) const { return std::cos(x); } };
struct Tanh { template <class T> T operator()(T x) const { return std::tanh(x); } };

struct Add { template <class T> auto operator()(T x, T y) const { return bits(x) + bits(y); } };
struct Sub { template <class T> auto operator()(T x, T y) const { return bits(x) - bits(y); } };
struct Mul { template <class T> auto operator()(T x, T y) const { return u64{bits(x)} * u64{bits(y)}; } };
struct Mad { template <class T> auto operator()(T x, T y, T z) const { return u64{bits(x)} * u64{bits(y)} + bits(z); } };
struct Min { template <class T> T operator()(T x, T y) const { return std::min(x, y); } };
struct Max { template <class T> T operator()(T x, T y) const { return std::max(x, y); } };
struct Neg { template <class T> auto operator()(T x) const { return 0 - u64{bits(x)}; } };
struct Abs { template <class T> auto operator()(T x) const { return x < T{0} ? 0 - u64{bits(x)} : u64{bits(x)}; } };
// By zero: all ones, as the hardware gives; the most negative number by -1 wraps.
struct Div { template <class T> auto operator()(T x, T y) const { return y == 0 ? ~u64{0} : std::is_signed_v<T> && y == T(-1) ? 0 - u64{bits(x)} : u64(x / y); } };
struct Rem { template <class T> auto operator()(T x, T y) const { return y == 0 ? u64(x) : std::is_signed_v<T> && y == T(-1) ? u64{0} : u64(x % y); } };
// clang-format on

__extension__ typedef __int128 Signed128;
__extension__ typedef unsigned __int128 Unsigned128;
template <class T> using Twice = std::conditional_t<std::is_signed_v<T>, Signed128, Unsigned128>;
struct High {
    template <class T> T operator()(T x, T y) const { return static_cast<T>(Twice<T>{x} * y >> (8 * sizeof(T))); }
};
struct HighMad {
    template <class T> auto operator()(T x, T y, T z) const { return bits(High{}(x, y)) + bits(z); }
};

// mul.wide, mad.wide: the result has twice the bits.
template <class T, bool add> struct Wide {
    static void run(Warp& w, const Instruction& i, u32 lanes)
    {
        using Narrow = std::conditional_t<sizeof(T) == 2, i32, i64>;
        using Result = std::conditional_t<std::is_signed_v<T>, Narrow, std::make_unsigned_t<Narrow>>;
        each_lane(lanes, [&](u32 lane) {
            auto product = bits(static_cast<Result>(Result{w.get<T>(i.r[1], lane)} * Result{w.get<T>(i.r[2], lane)}));
            if constexpr (add) product += bits(w.get<Result>(i.r[3], lane));
            w.set<Result>(i.r[0], lane, static_cast<Result>(product));
        });
    }
};
template <class T> using WideMul = Wide<T, false>;
template <class T> using WideMad = Wide<T, true>;

template <class Op, int sources> struct On {
    template <class T> using Float = Floats<Op, T, sources>;
    template <class T> using Integer = Integers<Op, T, sources>;
};

template <class Op, int sources> Decoder floats_of()
{
    return [](const Statement& s, Scope& scope) {
        const auto type = type_of(s);
        Instruction i = plain(s, scope, pick_float<On<Op, sources>::template Float>(type), bits_of(type), sources);
        if (has_other_rounding(s)) {
            i.run = rounded(s.opcode, type);
            i.number = rounding_mode(s);
            if (!i.run) unknown(s, "rounding");
        }
        return i;
    };
}
template <class Op, int sources> Decoder integers_of()
{
    return [](const Statement& s, Scope& scope) {
        const auto type = type_of(s);
        if (s.has("cc") || s.has("sat")) unknown(s);
        return plain(s, scope, pick_integer<On<Op, sources>::template Integer>(type), bits_of(type), sources);
    };
}
// One opcode for both: by its type.
Decoder either(Decoder integers, Decoder floats)
{
    return [=](const Statement& s, Scope& scope) {
        const auto type = type_of(s);
        return type.find('f') != type.npos ? floats(s, scope) : integers(s, scope);
    };
}

Instruction multiply(const Statement& s, Scope& scope)
{
    const auto type = type_of(s);
    if (type.find('f') != type.npos) return floats_of<FloatMul, 2>()(s, scope);
    if (s.has("wide"))
        return plain(s, scope,
                     pick<WideMul>(type, Named<u16>{"u16"}, Named<i16>{"s16"}, Named<u32>{"u32"}, Named<i32>{"s32"}),
                     bits_of(type), 2);
    if (s.has("hi")) return integers_of<High, 2>()(s, scope);
    return integers_of<Mul, 2>()(s, scope);
}

Instruction multiply_add(const Statement& s, Scope& scope)
{
    const auto type = type_of(s);
    if (type.find('f') != type.npos) return floats_of<FloatFma, 3>()(s, scope);
    if (s.has("cc")) unknown(s);
    if (!s.has("wide")) return s.has("hi") ? integers_of<HighMad, 3>()(s, scope) : integers_of<Mad, 3>()(s, scope);
    Instruction i =
        plain(s, scope, pick<WideMad>(type, Named<u16>{"u16"}, Named<i16>{"s16"}, Named<u32>{"u32"}, Named<i32>{"s32"}),
              bits_of(type), 3);
    i.r[3] = scope.source(s.operands[3], 2 * bits_of(type));
    return i;
}

Decoder minimum(Decoder integers, Decoder plain_floats, Decoder nan_floats)
{
    return either(integers, [=](const Statement& s, Scope& scope) {
        return s.has("NaN") ? nan_floats(s, scope) : plain_floats(s, scope);
    });
}

} // namespace

void add_arithmetic(Table& table)
{
    table["add"] = either(integers_of<Add, 2>(), floats_of<FloatAdd, 2>());
    table["sub"] = either(integers_of<Sub, 2>(), floats_of<FloatSub, 2>());
    table["mul"] = multiply;
    table["mad"] = multiply_add;
    table["fma"] = floats_of<FloatFma, 3>();
    table["div"] = either(integers_of<Div, 2>(), floats_of<FloatDiv, 2>());
    table["rem"] = integers_of<Rem, 2>();
    table["neg"] = either(integers_of<Neg, 1>(), floats_of<FloatNeg, 1>());
    table["abs"] = either(integers_of<Abs, 1>(), floats_of<FloatAbs, 1>());
    table["min"] = minimum(integers_of<Min, 2>(), floats_of<FloatMin, 2>(), floats_of<FloatMinNan, 2>());
    table["max"] = minimum(integers_of<Max, 2>(), floats_of<FloatMax, 2>(), floats_of<FloatMaxNan, 2>());
    table["copysign"] = floats_of<CopySign, 2>();
    table["rcp"] = floats_of<Reciprocal, 1>();
    table["sqrt"] = floats_of<Root, 1>();
    table["rsqrt"] = floats_of<ReciprocalRoot, 1>();
    table["ex2"] = floats_of<Exp2, 1>();
    table["lg2"] = floats_of<Log2, 1>();
    table["sin"] = floats_of<Sine, 1>();
    table["cos"] = floats_of<Cosine, 1>();
    table["tanh"] = floats_of<Tanh, 1>();
}

} // namespace headroom::cuda::ptx
