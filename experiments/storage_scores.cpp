#include "experiments/storage_scores.h"

#include "reference/decoder/calibration.h"
#include <stdexcept>

namespace headroom {

std::vector<StorageScore> storage_scores(const Decoder& model, std::span<const int> tokens,
                                         std::span<const int> calibration, const GenerationSettings& settings,
                                         const Backend& backend)
{
    if (!settings.cache) throw std::invalid_argument("storage types are compared through a cache");
    const DecoderConfig& config = model.config;
    const StorageErrorSettings normal{
        .q_heads = config.q_heads, .kv_heads = config.kv_heads, .head_dim = config.head_dim};
    std::vector<StorageScore> scores;
    for (const auto& [type, scaling] : storage_choices()) {
        const bool fixed = scaling != Scaling::none && scaling != Scaling::per_head_and_token;
        if (fixed && (calibration.empty() || settings.cache->options.positions == RingPositions::in_cache)) continue;
        GenerationSettings how = settings;
        how.cache->type = type;
        how.cache->scaling = scaling;
        how.cache->scales = calibrated_scales(model, calibration, type, scaling, reference_backend());
        scores.push_back({storage_error(type, scaling, normal), score(model, tokens, how, backend)});
    }
    return scores;
}

} // namespace headroom
