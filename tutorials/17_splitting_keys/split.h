// A decode step on several ranks: what one of them holds, what it computes alone, and what it sends. A rank is whoever has
// part of the keys at hand: a thread, a block of a GPU, a GPU, a machine.
#pragma once
#include "reference/attention/online_softmax.h"
#include "reference/tensor/random.h"
#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace headroom {

constexpr Index H = 12, Hkv = 2, D = 16;

struct Step {
    Tensor q, k, v; // [H, D], [Hkv, S, D], [Hkv, S, D]
};
inline Step random_step(Index S)
{
    Random random(17);
    return {random_uniform({H, D}, random), random_uniform({Hkv, S, D}, random), random_uniform({Hkv, S, D}, random)};
}

struct Grid { // ranks: the query heads are split one way, the keys the other
    Index head_ranks, key_ranks;
    Index heads() const { return H / head_ranks; } // query heads of a rank
    Index keys(Index S) const { return (S + key_ranks - 1) / key_ranks; }
    Index empty_ranks(Index S) const { return head_ranks * (key_ranks - (S + keys(S) - 1) / keys(S)); }
    Index kv_heads(Index row) const // those that the query heads of a row of the grid read
    {
        const Index group_size = H / Hkv, first = row * heads(), last = first + heads() - 1;
        return last / group_size - first / group_size + 1;
    }
};

// What rank (row, column) computes alone: one state for each of its query heads, from its own keys and no other.
using Part = std::vector<OnlineSoftmax>;
inline Part part(const Step& step, const Grid& grid, Index row, Index column)
{
    const Index S = step.k.extent(1), each = grid.keys(S);
    const Index from = std::min(S, column * each), to = std::min(S, from + each);
    Part states;
    for (Index h = row * grid.heads(); h < (row + 1) * grid.heads(); ++h) {
        OnlineSoftmax& state = states.emplace_back(D);
        const Index hkv = h / (H / Hkv);
        for (Index j = from; j < to; ++j) {
            double score = 0;
            for (Index d = 0; d < D; ++d) score += step.q(h, d) * step.k(hkv, j, d);
            state.add(score / std::sqrt(double(D)), step.v.row(hkv, j));
        }
    }
    return states;
}

// How far the outputs of a row's heads are from those of a single rank that holds everything.
inline double difference(const Part& merged, const Part& whole, const Grid& grid, Index row)
{
    double worst = 0;
    for (std::size_t i = 0; i < merged.size(); ++i) {
        const SoftmaxResult one = merged[i].finish(), all = whole[std::size_t(row * grid.heads()) + i].finish();
        for (std::size_t d = 0; d < std::size_t(D); ++d) {
            const double error = std::fabs(one.output[d] - all.output[d]);
            if (!(error <= worst)) worst = error;
        }
    }
    return worst;
}

inline void print(const Grid& grid, Index S, double difference)
{
    Index most = 0, all = 0; // KV heads
    for (Index row = 0; row < grid.head_ranks; ++row) {
        most = std::max(most, grid.kv_heads(row));
        all += grid.kv_heads(row);
    }
    const Index state = (D + 2) * 8, kv_row = 2 * D * 8; // bytes: output, max and sum; K and V of a token
    fmt::print("{:5} {:4} x{:5} {:9} {:9} {:6} {:6} {:15} {:11}   {}\n", S, grid.head_ranks, grid.key_ranks,
               grid.heads(), most, grid.keys(S), grid.empty_ranks(S), all * S * kv_row,
               grid.key_ranks > 1 ? grid.heads() * state : 0, difference <= 1e-12 ? "as unsplit" : "WRONG");
}

} // namespace headroom
