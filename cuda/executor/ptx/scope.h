// The names of one function: registers (in nested scopes), variables, parameters; constants on demand.
#pragma once
#include "cuda/executor/ptx/instruction.h"
#include "cuda/executor/ptx/statement.h"
#include <map>

namespace headroom::cuda::ptx {

int bits_of(std::string_view type); // of "f32", "b64", "pred" (1), "f16x2"; 0: not a type

class Scope {
public:
    explicit Scope(Function& function) : function_(function), scopes_(1) {}

    void enter() { scopes_.emplace_back(); }
    void leave() { scopes_.pop_back(); }
    void declare_registers(std::string_view declaration); // ".reg .b32 %r<93>"
    void declare_symbol(std::string name, u64 address) { symbols_[std::move(name)] = address; }

    struct Register {
        u32 offset;
        int bits;
    };
    const Register* find_register(std::string_view name) const;
    const u64* find_symbol(std::string_view name) const;
    // Where the operand lies: a register, a special register, or a constant of `bits` bits.
    u32 source(const Operand& operand, int bits);
    u32 destination(const Operand& operand); // `nothing` gives a register that nobody reads
    u32 constant(u64 value, int bits);
    bool is_wide(const Operand& operand) const; // a 64-bit register

private:
    u32 allocate(int bits);
    Function& function_;
    std::vector<std::map<std::string, Register, std::less<>>> scopes_;
    std::map<std::string, u64, std::less<>> symbols_;
    std::map<std::pair<u64, bool>, u32> constants_;
    std::map<std::string, u32, std::less<>> specials_;
    u32 sink_ = nowhere;
};

} // namespace headroom::cuda::ptx
