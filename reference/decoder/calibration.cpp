#include "reference/decoder/calibration.h"

#include <utility>

namespace headroom {
namespace {

// Nothing is rounded yet; what a layer made is looked at on its way.
class Sampled : public PackedKv {
public:
    Sampled(const DecoderConfig& config, DType type, Scaling scaling)
        : PackedKv(cache_geometry(config, 1, DType::f32)), type_(type)
    {
        asked_.scaling = scaling;
    }
    KvView keep(Index layer, const Tensor& k, const Tensor& v) override
    {
        scales.push_back({fixed(k, asked_.k_scaling()), fixed(v, asked_.v_scaling())});
        return PackedKv::keep(layer, k, v);
    }
    std::vector<StaticScales> scales;

private:
    std::vector<float> fixed(const Tensor& sample, Scaling scaling) const
    {
        if (scaling == Scaling::per_head_and_token) return {};
        return calibrate(sample, type_, scaling);
    }
    DType type_;
    KvGeometry asked_;
};

} // namespace

std::vector<StaticScales> calibrated_scales(const Decoder& model, std::span<const int> tokens, DType type,
                                            Scaling scaling, const Backend& backend)
{
    if (scaling == Scaling::none || scaling == Scaling::per_head_and_token) return {};
    Sampled sampled(model.config, type, scaling);
    forward(model, following({{tokens.begin(), tokens.end()}}, std::vector<Index>{0}), sampled, backend);
    return std::move(sampled.scales);
}

} // namespace headroom
