// What to trace: which steps of the ladder, on which problem.
#pragma once
#include "reference/contract/options.h"
#include "reference/tensor/dtype.h"
#include <filesystem>

namespace headroom {

struct TraceSettings {
    std::string implementations = "decode/04_split_combine"; // a glob over the ladder's names
    Index batch = 1, q_heads = 8, kv_heads = 2, queries = 1, keys = 256, head_dim = 64;
    std::string kv_type = "auto"; // auto: the first that the step takes
    Index page = 0;               // tokens per page of a block table; 0: one block of rows for each sequence
    std::uint64_t seed = 1;
    std::filesystem::path problem; // this file instead of random numbers
    AttentionOptions options = {};
    Index event_blocks = 64; // of each launch, the blocks of which every request is kept
};

} // namespace headroom
