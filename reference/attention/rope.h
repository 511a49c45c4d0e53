// Rotary position embedding (Su et al. 2021): pairs of a query's or key's elements are turned by an angle that grows with
// the token's position, so that q k depends on the distance of the two alone.
//
//     angle(position, pair) = position * base^(-2 pair / rotary_dim)          pair = 0 … rotary_dim/2 - 1
//     (x, y) -> (x cos - y sin, y cos + x sin)
//     neighbouring_pairs      (x, y) = elements (2 pair, 2 pair + 1)                llama2.c, GPT-J, "interleaved"
//     half_split              (x, y) = elements (pair, pair + rotary_dim/2)         GPT-NeoX, Hugging Face's Llama
//
// Elements from rotary_dim on stay as they are. Positions are absolute positions in the text, not slots of a cache.
//
// Limitation: a base is for life. Where the base changes once the text is longer than the trained length ("dynamic NTK",
// LongRoPE), a cache still holds keys that were turned with the old one, and decoding differs from prefill. Such scalings
// are not offered; frequencies that are scaled once and for all are: give them to the table.
#pragma once
#include "reference/tensor/tensor.h"

namespace headroom {

enum class RopeLayout : std::uint8_t { neighbouring_pairs, half_split };

std::vector<double> rope_frequencies(Index rotary_dim, double base = 10000); // [rotary_dim / 2] angle per position

// cos and sin for positions 0 … positions - 1, or first … end - 1: the tokens of one pass.
class RopeTable {
public:
    RopeTable(Index positions, Index rotary_dim, double base = 10000);
    RopeTable(Index positions, std::vector<double> frequencies);
    RopeTable(Tensor cos, Tensor sin); // [positions, rotary_dim / 2], from elsewhere; cannot grow
    static RopeTable between(Index first, Index end, Index rotary_dim, double base = 10000);

    Index positions() const { return first_ + cos_.extent(0); } // where it ends
    Index rotary_dim() const { return 2 * cos_.extent(1); }
    void grow(Index positions); // keeps what is there; never shrinks

    // Refuses tokens first … first + count - 1 that are not all in the table; the positions count, not the chunk's length.
    void require(Index first, Index count) const;

    // Turns one head's vector x [D], in place.
    void rotate(std::span<double> x, Index position, RopeLayout layout) const;

private:
    std::vector<double> frequencies_; // [rotary_dim / 2], empty if the table came from elsewhere
    Index first_ = 0;
    Tensor cos_, sin_; // [positions - first, rotary_dim / 2]
};

// Turns x [B, H, L, D]; token i of sequence b stands at positions[b * L + i].
Tensor rope(const Tensor& x, std::span<const Index> positions, const RopeTable& table, RopeLayout layout);

} // namespace headroom
