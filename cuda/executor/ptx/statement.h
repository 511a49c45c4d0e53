// PTX text, taken apart: statements with their operands still as they are written.
#pragma once
#include "cuda/executor/ptx/numbers.h"
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::cuda::ptx {

struct SyntaxError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Operand {
    enum class Kind : u8 { name, number, vector, address, nothing } kind = Kind::nothing; // nothing: "_"
    std::string name;              // register, label or symbol; of an address, its base (may be empty)
    u64 number = 0;                // bits of a literal
    i64 offset = 0;                // of an address
    std::vector<Operand> elements; // {a, b, …}; or the second half of a|b
    bool has_predicate = false;    // a|p: elements[0] is p
};
Operand parse_operand(std::string_view text);

struct Statement {
    std::string text; // "@%p1 bra $L__BB0_2"
    std::string guard;
    bool guard_negated = false;
    std::string opcode;             // "ld"
    std::vector<std::string> parts; // "global", "nc", "f32"
    std::vector<Operand> operands;
    u32 file = 0, line = 0;

    bool has(std::string_view part) const;
};
Statement parse_statement(std::string_view text);

std::string_view trim(std::string_view text);
// Splits at the separator, but not inside { } or [ ].
std::vector<std::string_view> split(std::string_view text, char separator);

} // namespace headroom::cuda::ptx
