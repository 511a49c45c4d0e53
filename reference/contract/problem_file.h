// A problem that owns its numbers: what a problem file holds, what a test case makes.
//
//     safetensors: q [B,H,L,D], k [B,Hkv,S,D], v [B,Hkv,S,Dv] of type F64 F32 F16 BF16; optional
//     bias (one of these types) and mask (BOOL or U8, 1 = visible, 0 = hidden), both broadcastable to [B,H,L,S],
//     sink_logits [H] (one of these types), kv_lengths [B] and query_lengths [B] (integers). No other tensor.
#pragma once
#include "reference/contract/problem.h"
#include <filesystem>

namespace headroom {

struct NamedTensors;

struct OwnedProblem {
    StoredTensor q, k, v;
    std::vector<Index> kv_lengths, query_lengths; // empty: S and L
    Tensor bias, mask;                            // empty: none
    std::vector<double> sink_logits;              // empty: none
    AttentionOptions options;

    AttentionProblem problem() const; // refers to this object, which must stay where it is and as it is

private:
    mutable std::vector<Index> full_lengths_;
};

// All of these leave the options aside: a file holds numbers. Reading throws std::invalid_argument, also for what
// check() refuses.
OwnedProblem read_problem(const std::filesystem::path& path);
OwnedProblem problem_from(NamedTensors file);
NamedTensors tensors_of(const OwnedProblem& problem);
void write_problem(const std::filesystem::path& path, const OwnedProblem& problem);

} // namespace headroom
