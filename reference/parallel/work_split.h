// What the threads share: blocks of queries, each with a range of its keys, as a kernel's grid of blocks.
#pragma once
#include "reference/parallel/visible_keys.h"

namespace headroom::parallel {

struct QueryBlock { // queries [first, last) of the heads that share one KV head: (last - first) * group_size rows
    Index b, hkv, first, last;
    VisibleKeys keys;      // that any of them may see
    Index parts, part_one; // how many shares its keys make, and the first of them; one part needs no merging
};
struct Share {
    Index block;
    Index from, to; // of the block's visible keys, by number
};
struct Work {
    std::vector<QueryBlock> blocks;
    std::vector<Share> shares;
    std::vector<Index> begins; // the share with which each thread begins, of as many threads as it is worth
    Index multiply_adds = 0;
};

constexpr Index worth_a_thread = Index{1} << 20; // multiply-adds; below, waking others takes longer than the work
constexpr Index rows_of_a_block = 384;           // of a prefill: they repay turning a tile of keys, and stay in L2

Work split(const AttentionProblem& problem, const AttentionShape& shape, int threads);

} // namespace headroom::parallel
