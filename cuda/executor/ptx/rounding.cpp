// Arithmetic of floats towards zero, down and up. Compiled with -frounding-math.
#include "cuda/executor/ptx/arithmetic.h"

#include <cfenv>

namespace headroom::cuda::ptx {
namespace {

class Rounding {
public:
    explicit Rounding(u32 mode) : old_(std::fegetround()) { std::fesetround(static_cast<int>(mode)); }
    ~Rounding() { std::fesetround(old_); }

private:
    int old_;
};

enum class Op { add, sub, mul, fma, div, rcp, sqrt };

template <class T, Op op> void run(Warp& w, const Instruction& i, u32 lanes)
{
    const Rounding mode(i.number);
    each_lane(lanes, [&](u32 lane) {
        const volatile T x = w.get<T>(i.r[1], lane), y = i.operands > 2 ? w.get<T>(i.r[2], lane) : T(1);
        volatile T result = 0;
        if constexpr (op == Op::add) result = x + y;
        if constexpr (op == Op::sub) result = x - y;
        if constexpr (op == Op::mul) result = x * y;
        if constexpr (op == Op::div) result = x / y;
        if constexpr (op == Op::rcp) result = T(1) / x;
        if constexpr (op == Op::sqrt) result = std::sqrt(T(x));
        if constexpr (op == Op::fma) result = std::fma(T(x), T(y), w.get<T>(i.r[3], lane));
        T value = result;
        if (i.ftz) value = flushed(value);
        if (i.saturate) value = saturated(value);
        w.set<T>(i.r[0], lane, value);
    });
}

template <class T> Run pick_rounded(std::string_view opcode)
{
    if (opcode == "add") return run<T, Op::add>;
    if (opcode == "sub") return run<T, Op::sub>;
    if (opcode == "mul") return run<T, Op::mul>;
    if (opcode == "fma" || opcode == "mad") return run<T, Op::fma>;
    if (opcode == "div") return run<T, Op::div>;
    if (opcode == "rcp") return run<T, Op::rcp>;
    if (opcode == "sqrt") return run<T, Op::sqrt>;
    return nullptr;
}

} // namespace

bool has_other_rounding(const Statement& s) { return s.has("rz") || s.has("rm") || s.has("rp"); }

u32 rounding_mode(const Statement& s)
{
    return static_cast<u32>(s.has("rz")   ? FE_TOWARDZERO
                            : s.has("rm") ? FE_DOWNWARD
                            : s.has("rp") ? FE_UPWARD
                                          : FE_TONEAREST);
}

Run rounded(std::string_view opcode, std::string_view type)
{
    if (type == "f32") return pick_rounded<float>(opcode);
    if (type == "f64") return pick_rounded<double>(opcode);
    return nullptr;
}

} // namespace headroom::cuda::ptx
