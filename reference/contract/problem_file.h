// A problem that owns its numbers: what a problem file holds, what a test case makes.
//
//     safetensors: q [B,H,L,D], k [B,Hkv,S,D], v [B,Hkv,S,Dv]; optional bias (float, broadcastable to [B,H,L,S]),
//     mask (BOOL or U8, 1 = visible, likewise), kv_lengths [B], sink_logits [H]. Types F64 F32 F16 BF16.
#pragma once
#include "reference/contract/problem.h"
#include <filesystem>

namespace headroom {

struct OwnedProblem {
    StoredTensor q, k, v;
    std::vector<Index> kv_lengths, query_lengths; // empty: S and L
    Tensor bias, mask;
    std::vector<double> sink_logits;
    AttentionOptions options;

    AttentionProblem problem() const; // refers to this object, which must stay where it is

private:
    mutable std::vector<Index> full_lengths_;
};
OwnedProblem read_problem(const std::filesystem::path& path); // throws std::invalid_argument

} // namespace headroom
