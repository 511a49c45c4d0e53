// The tokens that one pass takes in: B sequences, each with any number of new tokens, packed behind one another.
//
//     hidden states   [T, E]: the rows of sequence 0, then those of sequence 1, ...; no padding anywhere
//     for attention   [B, heads, L, D] with L the longest row, and query_length[b] saying where each row ends
#pragma once
#include "reference/tensor/tensor.h"

namespace headroom {

struct TokenBatch {
    std::vector<std::vector<int>> tokens;      // [B][new]
    std::vector<std::vector<Index>> positions; // [B][new]: where each stands in its own sequence; turns q and k
    Tensor mask = {};                          // [B, 1, L, S], 1: visible; empty: all that causality allows

    std::vector<Index> counts() const;           // [B] new tokens of each sequence
    Index total() const;                         // T
    Index longest() const;                       // L
    std::vector<Index> padded_positions() const; // [B L], 0 where a row has no token
};

// The usual case: tokens that follow `lengths[b]` earlier ones.
TokenBatch following(std::vector<std::vector<int>> tokens, std::span<const Index> lengths);

Tensor split_heads(const Tensor& packed, const TokenBatch& batch, Index heads); // [T, heads D] -> [B, heads, L, D]
Tensor merge_heads(const Tensor& heads, const TokenBatch& batch);               // [B, heads, L, D] -> [T, heads D]

} // namespace headroom
