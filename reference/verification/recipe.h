// A test problem described by its sizes and options, and the problem that it makes from our own random numbers.
#pragma once
#include "reference/contract/problem.h"
#include <memory>

namespace headroom {

struct Recipe {
    Index B = 1, H = 4, Hkv = 2, L = 1, S = 33, D = 64, Dv = 0; // Dv 0: as D
    DType type = DType::f32;                                    // of k and v
    DType q_type = DType::f32;
    Scaling scaling = Scaling::none;
    std::vector<Index> lengths = {}, query_lengths = {}; // [B]; empty: S and L
    AttentionOptions options = {};
    bool bias = false, mask = false, sink_logits = false;
    Index block = 0;                 // rows per block of a block table; 0: one block per sequence, no table
    std::vector<Index> evicted = {}; // [B]; empty: none
    Index kept_first = 0;
    bool nan_in_q = false, nan_in_k = false, nan_in_v = false; // one number of the first query, of the middle key
    double amplitude = 4; // q, k, v lie in [-amplitude, amplitude]: large enough for a mask off by one to show
    std::uint64_t seed = 1;
};

// Owns what an AttentionProblem refers to. Slots that hold no token are filled with NaN: nobody may look at them.
class PosedProblem {
public:
    explicit PosedProblem(const Recipe& recipe);
    const AttentionProblem& problem() const { return problem_; }

private:
    StoredTensor q_, k_, v_;
    std::vector<Index> lengths_, query_lengths_, evicted_;
    std::vector<std::int32_t> block_table_;
    Tensor bias_, mask_;
    std::vector<double> sink_logits_;
    AttentionProblem problem_;
};

} // namespace headroom
