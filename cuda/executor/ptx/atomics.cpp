// atom, red: lanes take their turns.
#include "cuda/executor/ptx/addresses.h"
#include "cuda/executor/ptx/arithmetic.h"

#include <algorithm>
#include <cstring>

namespace headroom::cuda::ptx {
namespace {

// clang-format off
struct Add { template <class T> T operator()(T old, T x, T) const { if constexpr (std::is_integral_v<T>) return static_cast<T>(bits(old) + bits(x)); else return old + x; } };
struct Min { template <class T> T operator()(T old, T x, T) const { return std::min(old, x); } };
struct Max { template <class T> T operator()(T old, T x, T) const { return std::max(old, x); } };
struct Exchange { template <class T> T operator()(T, T x, T) const { return x; } };
struct CompareSwap { template <class T> T operator()(T old, T expected, T x) const { return old == expected ? x : old; } };
struct And { template <class T> T operator()(T old, T x, T) const { return old & x; } };
struct Or { template <class T> T operator()(T old, T x, T) const { return old | x; } };
struct Xor { template <class T> T operator()(T old, T x, T) const { return old ^ x; } };
struct Increment { template <class T> T operator()(T old, T limit, T) const { return old >= limit ? T{0} : old + 1; } };
struct Decrement { template <class T> T operator()(T old, T limit, T) const { return old == 0 || old > limit ? limit : old - 1; } };
// clang-format on

template <class Op> struct Atomic {
    template <class T> struct On { // r: result, address, operand, operand
        static void run(Warp& w, const Instruction& i, u32 lanes)
        {
            each_lane(lanes, [&](u32 lane) {
                std::byte* at = locate(w, i, 1, lane, sizeof(T));
                T old;
                std::memcpy(&old, at, sizeof(T));
                const T now = Op{}(old, w.get<T>(i.r[2], lane), w.get<T>(i.r[3], lane));
                std::memcpy(at, &now, sizeof(T));
                w.set<T>(i.r[0], lane, old);
            });
        }
    };
    static Run integer(std::string_view type)
    {
        return pick<On>(type, Named<u32>{"u32"}, Named<i32>{"s32"}, Named<u64>{"u64"}, Named<i64>{"s64"},
                        Named<u32>{"b32"}, Named<u64>{"b64"});
    }
};

Run pick_atomic(const Statement& s, std::string_view type)
{
    if (s.has("add"))
        return type == "f32"   ? Atomic<Add>::On<float>::run
               : type == "f64" ? Atomic<Add>::On<double>::run
                               : Atomic<Add>::integer(type);
    if (s.has("min")) return Atomic<Min>::integer(type);
    if (s.has("max")) return Atomic<Max>::integer(type);
    if (s.has("exch")) return Atomic<Exchange>::integer(type);
    if (s.has("cas")) return Atomic<CompareSwap>::integer(type);
    if (s.has("and")) return Atomic<And>::integer(type);
    if (s.has("or")) return Atomic<Or>::integer(type);
    if (s.has("xor")) return Atomic<Xor>::integer(type);
    if (s.has("inc")) return Atomic<Increment>::integer(type);
    if (s.has("dec")) return Atomic<Decrement>::integer(type);
    return nullptr;
}

Instruction atomic(const Statement& s, Scope& scope)
{
    const auto type = type_of(s);
    const std::size_t first = s.opcode == "atom" ? 1 : 0; // the address
    const std::size_t values = s.has("cas") ? 2 : 1;
    check_operands(s, first + 1 + values);
    Instruction i;
    i.run = pick_atomic(s, type);
    if (!i.run) unknown(s, "operation");
    i.space = static_cast<u8>(space_of(s));
    i.r[0] = scope.destination(first ? s.operands[0] : Operand{});
    set_address(i, 1, s.operands[first], s, scope);
    i.r[2] = scope.source(s.operands[first + 1], bits_of(type));
    i.r[3] = values == 2 ? scope.source(s.operands[first + 2], bits_of(type)) : i.r[2];
    return i;
}

} // namespace

void add_atomics(Table& table) { table["atom"] = table["red"] = atomic; }

} // namespace headroom::cuda::ptx
