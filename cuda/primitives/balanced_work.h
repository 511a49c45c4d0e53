// The end of a segment of balanced work: a whole row is written, a part is left for the last of its blocks to arrive.
#pragma once
#include "cuda/primitives/merge_warps.h"
#include "cuda/primitives/work_split.h"

namespace headroom::cuda {

// A block's first segment uses its first place, any other that is a part its second.
PRIMITIVE Index place_of(Index block, const Segment& s, Index units)
{
    return 2 * block + (first_unit(block, gridDim.x, units) >= s.first ? 0 : 1);
}

template <int D, int warps, int NT> constexpr int balanced_bytes = merge_bytes<D, warps, NT> + 16;

template <int D, int warps, int NT, class Attention, class FeatureOf, class Sync>
PRIMITIVE void finish_segment(const DeviceProblem& p, const BalancedWork& work, const Segment& s, Attention& a,
                              std::byte* shared, FeatureOf feature_of, Sync sync)
{
    const int columns = p.L * (p.H / p.Hkv), thread = static_cast<int>(threadIdx.x);
    const bool whole = s.from == 0 && s.to == s.tiles;
    const Index place = place_of(blockIdx.x, s, work.units);
    merge_warps<D, warps, NT>(a, shared, columns, feature_of, sync,
                              [&](int c, int d, float4 output, SoftmaxState state) {
                                  if (whole) return finish_row(p, s.b, s.hkv, c, d, output, state);
                                  st_vec(work.output + (place * columns + c) * D + d, output);
                                  if (d == 0) work.state[place * columns + c] = state;
                              });
    if (whole) return;

    // Everybody's part is written before it is counted; who counts last merges all.
    const Index begin = block_of(s.first, gridDim.x, work.units), end = block_of(s.end - 1, gridDim.x, work.units) + 1;
    unsigned* arrived = work.arrived + s.b * p.Hkv + s.hkv;
    int* last = reinterpret_cast<int*>(shared + merge_bytes<D, warps, NT>);
    __threadfence();
    sync();
    if (thread == 0) *last = atomicAdd(arrived, 1u) + 1 == static_cast<unsigned>(end - begin);
    sync();
    if (!*last) return;
    __threadfence();
    for (int n = thread; n < columns * (D / 4); n += warps * 32) {
        const int c = n / (D / 4), d = n % (D / 4) * 4;
        SoftmaxState all;
        for (Index block = begin; block < end; ++block)
            all.max = fmaxf(all.max, ld_cg(&work.state[place_of(block, s, work.units) * columns + c].max));
        float4 output = make_float4(0, 0, 0, 0);
        for (Index block = begin; block < end; ++block) {
            const Index row = place_of(block, s, work.units) * columns + c;
            const float factor = expf(ld_cg(&work.state[row].max) - safe(all.max));
            const float4 x = ld_cg(reinterpret_cast<const float4*>(work.output + row * D + d));
            all.sum += factor * ld_cg(&work.state[row].sum);
            output.x += factor * x.x, output.y += factor * x.y, output.z += factor * x.z, output.w += factor * x.w;
        }
        finish_row(p, s.b, s.hkv, c, d, output, all);
    }
    if (thread == 0) *arrived = 0; // ready for the next launch
}

} // namespace headroom::cuda
