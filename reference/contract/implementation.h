// What the reference, the fast CPU path, every rung of the ladder and a user's plugin look like from outside.
#pragma once
#include "reference/contract/problem.h"
#include <functional>
#include <memory>
#include <stdexcept>

namespace headroom {

// What an implementation promises, as data: the same words refuse a problem, choose its test cases and fill its table row.
struct Claims {
    std::vector<DType> kv_types = {};  // empty: any
    std::vector<DType> q_types = {};   // empty: any
    std::vector<Index> head_dims = {}; // empty: any
    Index most_queries = 0;            // 0: any
    Index largest_group = 0;           // 0: any
    bool causal = false, window = false, sinks = false, soft_cap = false, bias = false, mask = false,
         sink_logits = false;
    bool ragged = false, block_table = false, eviction = false, scales = false, value_dim_differs = false;
};
std::string why_not(const Claims& claims, const AttentionProblem& problem); // empty: it can; else the reason, to print

struct Unsupported : std::runtime_error {
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
