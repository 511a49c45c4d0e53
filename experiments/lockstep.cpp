#include "experiments/lockstep.h"

#include <algorithm>

namespace headroom {
namespace {

LockstepLane lane(const Model& model, const LockstepSettings& settings, const Backend& backend)
{
    LockstepLane lane{.name = sharing(model.decoder.config), .config = model.decoder.config, .run = {}, .shapes = {}};
    GenerationSettings how{.steps = settings.steps, .cache = settings.cache};
    const std::vector<int> prompt = model.tokenizer.encode(settings.prompt);
    how.cache->options.max_length = static_cast<Index>(prompt.size()) + settings.steps;
    lane.run = generate(model.decoder, {prompt}, how, backend);

    const std::vector<GenerationStep>& steps = lane.run.steps;
    for (std::size_t i = 1; i < steps.size(); ++i) {
        if (steps[i].prefill) continue;
        lane.shapes.push_back({steps[i].length, steps[i - 1].k_shape, steps[i].new_k_shape, steps[i].k_shape});
        lane.bytes_per_token = steps[i].bytes.live - steps[i - 1].bytes.live;
        lane.bytes_read_last_step = steps[i].work.kv_bytes;
    }
    return lane;
}

Index reserved(Index kv_heads, Index head_dim, Index tokens)
{
    const KvGeometry geometry{.kv_heads = kv_heads, .head_dim = head_dim, .value_dim = head_dim};
    CacheOptions options;
    options.max_length = tokens;
    return cache_kind("preallocated").make(geometry, options)->counters().reserved;
}

} // namespace

std::vector<LockstepLane> lockstep(const LockstepSettings& settings, const Backend& backend)
{
    std::vector<LockstepLane> lanes;
    for (const std::string& name : settings.models) lanes.push_back(lane(load_model(name, ""), settings, backend));
    return lanes;
}

HeadSaving head_saving(Index q_heads, Index kv_heads, Index head_dim, Index tokens)
{
    const Index all = reserved(q_heads, head_dim, tokens), shared = reserved(kv_heads, head_dim, tokens);
    return {all, shared, 100 * (1 - static_cast<double>(shared) / static_cast<double>(all))};
}

} // namespace headroom
