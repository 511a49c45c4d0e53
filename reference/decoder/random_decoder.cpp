#include "reference/decoder/random_decoder.h"

#include "reference/decoder/weight_list.h"
#include "reference/tensor/random.h"
#include <cmath>

namespace headroom {

Decoder random_decoder(const DecoderConfig& config, std::uint64_t seed, bool shared_classifier)
{
    check(config);
    Random random(seed);
    const auto matrix = [&](Shape shape) { // rows that keep the variance of what they are applied to
        Tensor values = random_normal(shape, random);
        const double scale = 1 / std::sqrt(static_cast<double>(shape.back()));
        for (double& each : values.values()) each *= scale;
        return store(values, DType::f32);
    };
    const auto weight = [&](Shape shape) {
        return shape.size() == 1 ? store(Tensor(shape, 1.0), DType::f32) : matrix(shape);
    };

    Decoder model;
    model.config = config;
    model.embedding = matrix({config.vocabulary, config.width});
    model.layers.resize(static_cast<std::size_t>(config.layers));
    for (LayerWeights& layer : model.layers)
        for (const LayerWeight& each : layer_weights()) each.in(layer) = weight(each.shape(config));
    model.final_norm = weight({config.width});
    if (!shared_classifier) model.classifier = matrix({config.vocabulary, config.width});
    return model;
}

} // namespace headroom
