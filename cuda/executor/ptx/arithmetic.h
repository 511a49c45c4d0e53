// How operations on one lane become instructions: integers wrap around, halves are computed in double and rounded once.
#pragma once
#include "cuda/executor/ptx/decode.h"
#include "cuda/executor/ptx/warp.h"

namespace headroom::cuda::ptx {

template <class T> T flushed(T x) // subnormal: zero of the same sign
{
    if constexpr (std::is_same_v<T, float>)
        if (std::fabs(x) < 0x1p-126f) return std::copysign(0.0f, x);
    return x;
}
template <class T> T saturated(T x) // to [0, 1], NaN to 0
{
    if constexpr (is_float<T>) return narrow<T>(std::isnan(widen(x)) ? 0.0 : std::fmin(1.0, std::fmax(0.0, widen(x))));
    return x;
}

// f of floats, as their type computes it.
template <class T> struct Evaluate {
    template <class F, class... A> static T of(F f, A... a)
    {
        if constexpr (std::is_floating_point_v<T>)
            return f(a...);
        else
            return narrow<T>(f(widen(a)...));
    }
};
template <class H> struct Evaluate<Pair<H>> {
    template <class F, class... A> static Pair<H> of(F f, A... a)
    {
        return {Evaluate<H>::of(f, a.low...), Evaluate<H>::of(f, a.high...)};
    }
};

template <class Op, class T, int sources> struct Floats {
    static void run(Warp& w, const Instruction& i, u32 lanes)
    {
        const auto in = [&](int n, u32 lane) {
            const T x = w.get<T>(i.r[static_cast<std::size_t>(n)], lane);
            return i.ftz ? flushed(x) : x;
        };
        each_lane(lanes, [&](u32 lane) {
            T result;
            if constexpr (sources == 1)
                result = Evaluate<T>::of(Op{}, in(1, lane));
            else if constexpr (sources == 2)
                result = Evaluate<T>::of(Op{}, in(1, lane), in(2, lane));
            else
                result = Evaluate<T>::of(Op{}, in(1, lane), in(2, lane), in(3, lane));
            if (i.ftz) result = flushed(result);
            if (i.saturate) result = saturated(result);
            w.set<T>(i.r[0], lane, result);
        });
    }
};

// Integers: computed in the unsigned type of the same width where they may wrap.
template <class Op, class T, int sources> struct Integers {
    static void run(Warp& w, const Instruction& i, u32 lanes)
    {
        each_lane(lanes, [&](u32 lane) {
            const T x = w.get<T>(i.r[1], lane);
            if constexpr (sources == 1)
                w.set<T>(i.r[0], lane, static_cast<T>(Op{}(x)));
            else if constexpr (sources == 2)
                w.set<T>(i.r[0], lane, static_cast<T>(Op{}(x, w.get<T>(i.r[2], lane))));
            else
                w.set<T>(i.r[0], lane, static_cast<T>(Op{}(x, w.get<T>(i.r[2], lane), w.get<T>(i.r[3], lane))));
        });
    }
};
template <class T> auto bits(T x) { return static_cast<std::make_unsigned_t<T>>(x); }

// f32 and f64 in the rounding modes rz, rm, rp: see rounding.cpp.
Run rounded(std::string_view opcode, std::string_view type);
bool has_other_rounding(const Statement& statement);
u32 rounding_mode(const Statement& statement); // for fesetround

} // namespace headroom::cuda::ptx
