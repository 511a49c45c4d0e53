// Attention as fast as a CPU allows: what a learner without a GPU runs, and the counterpart of the kernels' ladder.
//
//     decode    bound by memory: keys and values are read once for the group of query heads that share them, while the
//               queries stay in registers; the keys are split over threads and the parts merged, as the ladder does
//     prefill   bound by arithmetic: tiles of queries times tiles of keys, with the online softmax between two products
//
// Numbers are stored in any type and calculated in f32. It keeps row_max, row_sum, output and lse.
#pragma once
#include "reference/contract/implementation.h"

namespace headroom {

struct ParallelOptions {
    int threads = 0;                  // 0: one for each core
    std::string instruction_set = {}; // "avx512", "avx2", "plain"; empty: the best that this machine has
};

Claims parallel_claims(); // all of the contract, but keys and values of f64
Implementation parallel_implementation(const ParallelOptions& options = {});

} // namespace headroom
