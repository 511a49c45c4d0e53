#include "reference/recording/recording.h"

#include <algorithm>
#include <stdexcept>

namespace headroom {
namespace {

Tensor joined(const Lane& lane, std::size_t step, std::size_t layer, Tensor RecordedLayer::*part)
{
    Index tokens = 0;
    for (std::size_t s = 0; s <= step; ++s) tokens += (lane.steps.at(s).layers.at(layer).*part).extent(2);
    const Shape& first = (lane.steps.at(0).layers.at(layer).*part).shape();
    Tensor all({first[0], first[1], tokens, first[3]});
    Index at = 0;
    for (std::size_t s = 0; s <= step; ++s) {
        const Tensor& added = lane.steps[s].layers[layer].*part;
        for (Index b = 0; b < first[0]; ++b)
            for (Index h = 0; h < first[1]; ++h)
                for (Index i = 0; i < added.extent(2); ++i)
                    std::ranges::copy(added.row(b, h, i), all.row(b, h, at + i).begin());
        at += added.extent(2);
    }
    return all;
}

} // namespace

Tensor keys_until(const Lane& lane, std::size_t step, std::size_t layer)
{
    return joined(lane, step, layer, &RecordedLayer::new_k);
}
Tensor values_until(const Lane& lane, std::size_t step, std::size_t layer)
{
    return joined(lane, step, layer, &RecordedLayer::new_v);
}

} // namespace headroom
