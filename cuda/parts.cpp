// What blocks that share the keys of a row left behind, read back: part by part, with the keys that each holds.
#include "cuda/primitives/work_split.h"
#include "cuda/step.h"

#include <algorithm>

namespace headroom::cuda {
namespace {

// Reads results row by row into tensors [parts, group_size, L(, D)].
class Gathering {
public:
    Gathering(const AttentionShape& shape, const Buffer<float>& output, const Buffer<SoftmaxState>& state)
        : shape_(shape), output_(output.read()), state_(state.read())
    {}
    // row_of(g, i): which row of the buffers belongs to query i of the group's head g.
    template <class RowOf> void add(const KernelPart& part, RowOf row_of)
    {
        parts_.push_back(part);
        for (Index g = 0; g < shape_.group_size(); ++g)
            for (Index i = 0; i < shape_.L; ++i) rows_.push_back(row_of(g, i));
    }
    PartialResults finish()
    {
        const Index n = static_cast<Index>(parts_.size()), group = shape_.group_size(), L = shape_.L, D = shape_.D;
        PartialResults all{.parts = std::move(parts_),
                           .max = Tensor({n, group, L}),
                           .sum = Tensor({n, group, L}),
                           .output = Tensor({n, group, L, D})};
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            const auto row = static_cast<std::size_t>(rows_[r]), width = static_cast<std::size_t>(D);
            all.max.values()[r] = static_cast<double>(state_.at(row).max);
            all.sum.values()[r] = static_cast<double>(state_.at(row).sum);
            std::copy_n(output_.begin() + static_cast<std::ptrdiff_t>(row * width), width,
                        all.output.values().begin() + static_cast<std::ptrdiff_t>(r * width));
        }
        return all;
    }

private:
    AttentionShape shape_;
    std::vector<float> output_;
    std::vector<SoftmaxState> state_;
    std::vector<KernelPart> parts_;
    std::vector<Index> rows_;
};

} // namespace

PartialResults split_parts(const AttentionShape& shape, Index splits, const Buffer<float>& output,
                           const Buffer<SoftmaxState>& state, const std::function<Keys(Index, Index)>& keys_of,
                           bool block_per_query)
{
    Gathering all(shape, output, state);
    const auto [B, H, Hkv, L, S, D, Dv] = shape;
    const Index group = shape.group_size();
    for (Index b = 0; b < B; ++b)
        for (Index hkv = 0; hkv < Hkv; ++hkv)
            for (Index split = 0; split < splits; ++split) {
                const Keys keys = keys_of(b, split);
                const Index block = split + splits * (hkv + Hkv * b * (block_per_query ? L : 1));
                all.add({block, b, hkv, keys.from, keys.to},
                        [&, rows = H * L, first = (b * H + hkv * group) * L, split = split, B = B,
                         L = L](Index g, Index i) { return split * B * rows + first + g * L + i; });
            }
    return all.finish();
}

PartialResults SplitRun::parts()
{
    return split_parts(shape, splits_, output_, state_, [&](Index b, Index split) {
        const Index length = lengths[static_cast<std::size_t>(b)], tiles = (length + tile_ - 1) / tile_;
        const Index per_split = (tiles + splits_ - 1) / splits_ * tile_; // keys
        return Keys{std::min(length, split * per_split), std::min(length, (split + 1) * per_split)};
    });
}

PartialResults BalancedRun::parts()
{
    Gathering all(shape, output_, state_);
    const int B = static_cast<int>(shape.B), Hkv = static_cast<int>(shape.Hkv);
    for (Index block = 0; block < blocks_; ++block) {
        const Index begin = first_unit(block, blocks_, units_), end = first_unit(block + 1, blocks_, units_);
        for (Index unit = begin; unit < end;) {
            const Segment s = segment_at(starts_.data(), B, Hkv, unit, end);
            unit += s.to - s.from;
            if (s.from == 0 && s.to == s.tiles) continue; // whole: written at once
            const Index place = 2 * block + (begin >= s.first ? 0 : 1), length = lengths[static_cast<std::size_t>(s.b)];
            const KernelPart part{block, s.b, s.hkv, Index{s.from} * tile_, std::min(length, Index{s.to} * tile_)};
            all.add(part, [&](Index g, Index i) { return place * query_rows() + i * shape.group_size() + g; });
        }
    }
    return all.finish();
}

} // namespace headroom::cuda
