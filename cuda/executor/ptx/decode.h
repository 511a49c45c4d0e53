// From a statement to an instruction: which function runs it, for which type, on which registers.
#pragma once
#include "cuda/executor/ptx/scope.h"
#include <functional>

namespace headroom::cuda::ptx {

Instruction decode(const Statement& statement, Scope& scope); // throws SyntaxError: "unknown instruction …"

// Each group of instructions fills the table with its opcodes.
using Decoder = std::function<Instruction(const Statement&, Scope&)>;
using Table = std::map<std::string, Decoder, std::less<>>;
void add_arithmetic(Table& table);
void add_bits(Table& table);
void add_comparisons(Table& table);
void add_conversions(Table& table);
void add_moves(Table& table);
void add_loads(Table& table);
void add_atomics(Table& table);
void add_control(Table& table);
void add_meetings(Table& table);
void add_matrices(Table& table);
void add_copies(Table& table);

// --- for decoders ---
[[noreturn]] void unknown(const Statement& statement, std::string_view what = {});
std::string_view type_of(const Statement& statement); // the first part that is a type: "f32"
// Destination first, then sources of `bits` bits.
Instruction plain(const Statement& statement, Scope& scope, Run run, int bits, std::size_t sources);
void check_operands(const Statement& statement, std::size_t count);

// The instance of an operation for a type named at run time: pick<Operation>("s32", types…) is Operation<i32>, where
// Operation<T>::run is its function. null: not among the types.
template <class T> struct Named {
    std::string_view name;
};
template <template <class> class Operation, class... T> Run pick(std::string_view type, Named<T>... candidates)
{
    Run run = nullptr;
    ((type == candidates.name ? void(run = Operation<T>::run) : void()), ...);
    return run;
}
template <template <class> class Operation> Run pick_integer(std::string_view type) // wraps around: sign matters
{
    return pick<Operation>(type, Named<u16>{"u16"}, Named<i16>{"s16"}, Named<u32>{"u32"}, Named<i32>{"s32"},
                           Named<u64>{"u64"}, Named<i64>{"s64"});
}
template <template <class> class Operation> Run pick_bits(std::string_view type)
{
    return pick<Operation>(type, Named<u16>{"b16"}, Named<u32>{"b32"}, Named<u64>{"b64"});
}
template <template <class> class Operation> Run pick_float(std::string_view type)
{
    return pick<Operation>(type, Named<float>{"f32"}, Named<double>{"f64"}, Named<Half>{"f16"}, Named<BFloat>{"bf16"},
                           Named<Pair<Half>>{"f16x2"}, Named<Pair<BFloat>>{"bf16x2"});
}

} // namespace headroom::cuda::ptx
