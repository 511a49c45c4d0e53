// A PTX file: its entry points, decoded.
#pragma once
#include "cuda/executor/ptx/instruction.h"
#include "cuda/executor/ptx/statement.h"
#include <map>

namespace headroom::cuda::ptx {

class Module {
public:
    explicit Module(std::string_view text); // throws SyntaxError, which names an unknown instruction
    const Function* find(std::string_view name) const;
    const std::map<std::string, Function, std::less<>>& functions() const { return functions_; }

private:
    std::map<std::string, Function, std::less<>> functions_;
};

} // namespace headroom::cuda::ptx
