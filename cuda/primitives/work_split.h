// An even split of uneven work ("stream-K"): all tiles of all sequences and KV heads stand in one row of units, and block
// p of P takes the p-th part of it, wherever that begins and ends.
//
//     units of sequence b, head hkv      max(1, ceil(length[b] / tile)), so that an empty sequence is somebody's work too
//     a block's first and last segment   may be parts of a row that other blocks share: at most two, so 2 P places for
//                                        partial results are enough, whatever the batch looks like
#pragma once
#include "cuda/primitives/device_problem.h"

namespace headroom::cuda {

constexpr Index first_unit(Index block, Index blocks, Index units) { return block * units / blocks; }
constexpr Index block_of(Index unit, Index blocks, Index units) { return ((unit + 1) * blocks - 1) / units; }

struct Segment {
    int b, hkv;
    int from, to, tiles; // this block's tiles [from, to) of `tiles`
    Index first, end;    // all units of (b, hkv)
};

// The segment that begins at `unit` and ends before `end` at the latest. tile_start [B + 1]: tiles before sequence b.
__device__ inline Segment segment_at(const int* tile_start, int B, int Hkv, Index unit, Index end)
{
    int b = 0, beyond = B; // the last b with tile_start[b] * Hkv <= unit
    while (beyond - b > 1) {
        const int middle = (b + beyond) / 2;
        (Index{tile_start[middle]} * Hkv <= unit ? b : beyond) = middle;
    }
    Segment s;
    s.b = b;
    s.tiles = tile_start[b + 1] - tile_start[b];
    const Index inside = unit - Index{tile_start[b]} * Hkv;
    s.hkv = static_cast<int>(inside / s.tiles);
    s.from = static_cast<int>(inside % s.tiles);
    s.to = static_cast<int>(min(Index{s.tiles}, s.from + end - unit));
    s.first = unit - s.from;
    s.end = s.first + s.tiles;
    return s;
}

} // namespace headroom::cuda
