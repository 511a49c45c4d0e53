#include "cuda/executor/ptx/decode.h"

namespace headroom::cuda::ptx {

void unknown(const Statement& statement, std::string_view what)
{
    std::string name = statement.opcode;
    for (const std::string& part : statement.parts) name += "." + part;
    throw SyntaxError("unknown instruction " + name + (what.empty() ? "" : " (" + std::string(what) + ")"));
}

std::string_view type_of(const Statement& statement)
{
    for (const std::string& part : statement.parts)
        if (bits_of(part)) return part;
    unknown(statement, "no type");
}

void check_operands(const Statement& statement, std::size_t count)
{
    if (statement.operands.size() != count) unknown(statement, std::to_string(statement.operands.size()) + " operands");
}

Instruction plain(const Statement& statement, Scope& scope, Run run, int bits, std::size_t sources)
{
    if (!run) unknown(statement, "type");
    check_operands(statement, sources + 1);
    Instruction i;
    i.run = run;
    i.operands = static_cast<u8>(sources + 1);
    i.r[0] = scope.destination(statement.operands[0]);
    i.wide_result = scope.is_wide(statement.operands[0]);
    for (std::size_t s = 1; s <= sources; ++s) i.r[s] = scope.source(statement.operands[s], bits);
    i.ftz = statement.has("ftz");
    i.saturate = statement.has("sat");
    return i;
}

Instruction decode(const Statement& statement, Scope& scope)
{
    static const Table table = [] {
        Table t;
        for (const auto add : {add_arithmetic, add_bits, add_comparisons, add_conversions, add_moves, add_loads,
                               add_atomics, add_control, add_meetings, add_matrices, add_copies})
            add(t);
        return t;
    }();
    const auto it = table.find(statement.opcode);
    if (it == table.end()) unknown(statement);
    return it->second(statement, scope);
}

} // namespace headroom::cuda::ptx
