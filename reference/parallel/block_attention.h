// The attention of one block of queries over a part of its keys, tile by tile: scores, online softmax, weighted values.
//
//     few rows    decode: each key is used where it lies, for as many rows as registers hold; dot products along D
//     many rows   prefill, and decode of many heads that share keys: both products are the small matrix product of
//                 product.h, for which keys or, where there are fewer rows than columns, queries and scores are turned round
#pragma once
#include "reference/parallel/row_states.h"
#include "reference/parallel/row_tile.h"
#include "reference/parallel/work_split.h"

namespace headroom::parallel {

constexpr Index few_rows = 8;
constexpr Index rows_at_once = 96; // of a prefill: their scores stay in the cache beside a tile of keys or values

class BlockAttention {
public:
    BlockAttention(const AttentionProblem& problem, const AttentionShape& shape, const Kernels& kernels);

    // What a thread needs for a block of so many rows, which see so many keys.
    Index scratch_floats(Index rows, Index keys) const;
    Index value_dim() const { return values_.dim(); }

    // states [(last - first) * group_size, value_dim()]: row (i - first) * group_size + g is query i of the group's head g
    void compute(const QueryBlock& block, Index from, Index to, const RowStates& states, float* scratch) const;

private:
    struct Scratch { // in one piece of memory
        float *q, *scores, *keys, *values, *turned;
    };
    struct Floats { // how many of each
        Index q, scores, keys, values, turned;
    };
    Floats floats(Index rows, Index keys) const;
    Scratch lay_out(Index rows, Index keys, float* memory) const;
    void load_queries(const QueryBlock& block, float* q) const;
    bool turns_scores(Index rows) const { return few_rows < rows && rows <= rows_at_once && rows < keys_.dim(); }
    void multiply_turned_queries(const RowTile& k, Index rows, Index keys, const Ahead& ahead, const Scratch& s) const;
    void few(const QueryBlock& block, const RowTile& k, const RowTile& v, Index first, const VisibleKeys& seen_by_all,
             const RowStates& states, const Scratch& s) const;
    void many(const QueryBlock& block, const RowTile& k, const RowTile& v, Index first, const RowStates& states,
              const Scratch& s) const;
    VisibleKeys keys_seen_by_all(const QueryBlock& block, Index i, Index last) const;
    void mask(const QueryBlock& block, Index row, Index first, Index keys, float* scores) const;
    void softmax(const QueryBlock& block, Index row, Index rows, Index first, Index keys,
                 const VisibleKeys& seen_by_all, const RowTile& k, const RowTile& v, float* scores,
                 const RowStates& states) const;

    const AttentionProblem& problem_;
    AttentionShape shape_;
    const Kernels& kernels_;
    RowSource queries_, keys_, values_;
    float scale_;
    bool key_scales_to_query_;
};

} // namespace headroom::parallel
