// What an implementation promises, as data: the same words refuse a problem, choose its test cases and fill its table row.
#pragma once
#include "reference/contract/problem.h"
#include <string>

namespace headroom {

struct Claims {
    std::vector<DType> kv_types = {};  // empty: any
    std::vector<DType> q_types = {};   // empty: any
    std::vector<Index> head_dims = {}; // of q and k; empty: any
    Index most_queries = 0;            // new tokens L; 0: any
    Index largest_group = 0;           // 0: any
    bool causal = false, top_left = false, window = false, sinks = false, soft_cap = false, bias = false, mask = false,
         sink_logits = false;
    bool ragged = false;            // sequences of different length, padded queries
    bool block_table = false;       // pages
    bool eviction = false;          // positions that are not slots
    bool scales = false;            // of 8-bit storage
    bool value_dim_differs = false; // Dv != D
};
Claims every_claim(); // what the contract allows: the reference's own claims

// Empty if an implementation with these claims can compute the problem, else the reason, to print after a name.
// Throws std::invalid_argument if the problem breaks the contract.
std::string why_not(const Claims& claims, const AttentionProblem& problem);

} // namespace headroom
