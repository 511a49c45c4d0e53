#include "reference/tensor/scaling.h"

#include "reference/tensor/stored_row.h"
#include <array>
#include <stdexcept>

namespace headroom {
namespace {

constexpr std::array<std::string_view, 5> names{"none", "per-tensor", "per-head", "per-head-and-token", "per-channel"};

} // namespace

std::string_view name(Scaling scaling) { return names.at(static_cast<std::size_t>(scaling)); }

Scaling scaling_from_name(std::string_view wanted)
{
    std::string known;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == wanted) return static_cast<Scaling>(i);
        known += (i ? ", " : "") + std::string(names[i]);
    }
    throw std::invalid_argument("scaling '" + std::string(wanted) + "' is unknown; known are " + known);
}

Index scale_count(Scaling scaling, const Shape& shape)
{
    switch (scaling) {
    case Scaling::none: return 0;
    case Scaling::per_tensor: return 1;
    case Scaling::per_head: return shape.at(1);
    case Scaling::per_head_and_token: return count({shape.at(0), shape.at(1), shape.at(2)});
    case Scaling::per_channel: return count({shape.at(1), shape.at(3)});
    }
    throw std::logic_error("unknown scaling");
}

void attach_scales(StoredView& v, const float* scales, Scaling scaling)
{
    if (scaling == Scaling::none) return;
    v.scale = scales;
    if (scaling == Scaling::per_head) v.scale_stride[1] = 1;
    if (scaling == Scaling::per_head_and_token) {
        v.scale_stride[2] = 1;
        v.scale_stride[1] = v.extent[2];
        v.scale_stride[0] = v.extent[1] * v.extent[2];
    }
    if (scaling == Scaling::per_channel) {
        v.scale_stride[3] = 1;
        v.scale_stride[1] = v.extent[3];
    }
}

std::vector<float> calibrate(const Tensor& sample, DType type, Scaling scaling)
{
    const StoredView v = view(sample);
    const Shape shape{v.extent[0], v.extent[1], v.extent[2], v.extent[3]};
    StoredView addressed = v;
    attach_scales(addressed, nullptr, scaling);

    // Gather the numbers that share a scale, then let the largest of them fit.
    std::vector<std::vector<double>> sharing(static_cast<std::size_t>(scale_count(scaling, shape)));
    if (sharing.empty()) return {};
    for (Index i0 = 0; i0 < shape[0]; ++i0)
        for (Index i1 = 0; i1 < shape[1]; ++i1)
            for (Index i2 = 0; i2 < shape[2]; ++i2)
                for (Index i3 = 0; i3 < shape[3]; ++i3)
                    sharing[static_cast<std::size_t>(scale_offset(addressed, i0, i1, i2, i3))].push_back(
                        value(v, i0, i1, i2, i3));
    std::vector<float> scales;
    for (const std::vector<double>& numbers : sharing) scales.push_back(scale_for(type, numbers));
    return scales;
}

} // namespace headroom
