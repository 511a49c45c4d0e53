#include "reference/recording/recording.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace headroom {

StoredTokens::StoredTokens(const Lane& lane, std::size_t layer, std::size_t last_step)
{
    for (std::size_t s = 0; s <= last_step; ++s) {
        const RecordedLayer& added = lane.steps.at(s).layers.at(layer);
        for (Index i = 0; i < added.new_k.extent(2); ++i) where_.push_back({&added, i});
    }
}

std::pair<std::span<const double>, std::span<const double>> StoredTokens::at(Index b, Index hkv, Index token) const
{
    const Where& where = where_.at(static_cast<std::size_t>(token));
    return {where.layer->new_k.row(b, hkv, where.row), where.layer->new_v.row(b, hkv, where.row)};
}

namespace {

Tensor joined(const Lane& lane, std::size_t step, std::size_t layer, bool keys)
{
    const StoredTokens stored(lane, layer, step);
    const RecordedLayer& first = lane.steps.at(0).layers.at(layer);
    const Shape& shape = (keys ? first.new_k : first.new_v).shape();
    Tensor all({shape[0], shape[1], stored.tokens(), shape[3]});
    for (Index b = 0; b < shape[0]; ++b)
        for (Index h = 0; h < shape[1]; ++h)
            for (Index t = 0; t < stored.tokens(); ++t)
                std::ranges::copy(keys ? stored.key(b, h, t) : stored.value(b, h, t), all.row(b, h, t).begin());
    return all;
}

} // namespace

Tensor keys_until(const Lane& lane, std::size_t step, std::size_t layer) { return joined(lane, step, layer, true); }
Tensor values_until(const Lane& lane, std::size_t step, std::size_t layer) { return joined(lane, step, layer, false); }

} // namespace headroom
