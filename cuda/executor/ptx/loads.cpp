// ld, st: one, two or four numbers, in any space. Caching hints and memory orders make no difference here.
#include "cuda/executor/ptx/addresses.h"

#include <cstring>

namespace headroom::cuda::ptx {
namespace {

template <class T> struct Load {
    static void run(Warp& w, const Instruction& i, u32 lanes)
    {
        using Wide = std::conditional_t<std::is_signed_v<T>, i64, u64>;
        using Word = std::conditional_t<std::is_signed_v<T>, i32, u32>;
        each_lane(lanes, [&](u32 lane) {
            const std::byte* from = locate(w, i, i.count, lane, static_cast<u32>(sizeof(T)) * i.count);
            for (u32 e = 0; e < i.count; ++e) {
                T value;
                std::memcpy(&value, from + e * sizeof(T), sizeof(T));
                if (sizeof(T) == 8 || i.wide_result)
                    w.set<Wide>(i.r[e], lane, static_cast<Wide>(value));
                else
                    w.set<Word>(i.r[e], lane, static_cast<Word>(value));
            }
        });
    }
};
template <class T> struct Store {
    static void run(Warp& w, const Instruction& i, u32 lanes)
    {
        each_lane(lanes, [&](u32 lane) {
            std::byte* to = locate(w, i, i.count, lane, static_cast<u32>(sizeof(T)) * i.count);
            for (u32 e = 0; e < i.count; ++e) {
                const T value = w.get<T>(i.r[e], lane);
                std::memcpy(to + e * sizeof(T), &value, sizeof(T));
            }
        });
    }
};

template <template <class> class Operation> Run pick_memory(std::string_view type)
{
    if (type == "s8") return Operation<i8>::run;
    if (type == "s16") return Operation<i16>::run;
    if (type == "s32") return Operation<i32>::run;
    switch (bits_of(type)) {
    case 8: return Operation<u8>::run;
    case 16: return Operation<u16>::run;
    case 32: return Operation<u32>::run;
    case 64: return Operation<u64>::run;
    default: return nullptr;
    }
}

Instruction access(const Statement& s, Scope& scope)
{
    const bool loads = s.opcode == "ld";
    const auto type = type_of(s);
    check_operands(s, 2);
    const Operand &data = s.operands[loads ? 0 : 1], &where = s.operands[loads ? 1 : 0];
    const bool vector = data.kind == Operand::Kind::vector;
    const std::vector<Operand> elements = vector ? data.elements : std::vector<Operand>{data};
    Instruction i;
    i.run = loads ? pick_memory<Load>(type) : pick_memory<Store>(type);
    if (!i.run) unknown(s, "type");
    i.space = static_cast<u8>(space_of(s));
    i.count = static_cast<u8>(elements.size());
    i.wide_result = loads && scope.is_wide(elements[0]);
    for (std::size_t e = 0; e < elements.size(); ++e)
        i.r[e] = loads ? scope.destination(elements[e]) : scope.source(elements[e], bits_of(type));
    set_address(i, elements.size(), where, s, scope);
    return i;
}

} // namespace

void add_loads(Table& table) { table["ld"] = table["st"] = access; }

} // namespace headroom::cuda::ptx
