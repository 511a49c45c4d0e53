// What the reference, the fast CPU path, every rung of the ladder and a user's plugin look like from outside.
#pragma once
#include "reference/contract/claims.h"
#include <functional>
#include <memory>
#include <stdexcept>

namespace headroom {

struct Unsupported : std::runtime_error { // the problem is fine, this implementation does not do it
    using std::runtime_error::runtime_error;
};

// A problem made ready: memory reserved, inputs where they are needed. Verification launches once, a benchmark often.
class PreparedAttention {
public:
    virtual ~PreparedAttention() = default;
    virtual void launch() = 0;
    virtual AttentionStages stages() = 0;
};

struct Implementation {
    std::string name;     // "decode/04_split_keys"
    std::string executor; // "cpu", "simt", "ptx", "device"
    Claims claims;
    std::function<std::unique_ptr<PreparedAttention>(const AttentionProblem&)> prepare;
};

// Checks, refuses (Unsupported), prepares, launches, reads back.
AttentionStages run(const Implementation& implementation, const AttentionProblem& problem);

using AttentionFunction = std::function<AttentionStages(const AttentionProblem&)>; // what a model is given
Implementation implementation(std::string name, Claims claims, AttentionFunction attention);

} // namespace headroom
