// The main job: one model and one prompt, and everything that attention and its cache cost on the way.
#pragma once
#include "experiments/cache_race.h"
#include "experiments/layer_shapes.h"
#include "experiments/lockstep.h"
#include <functional>

namespace headroom {

struct TourSettings {
    std::string model, tokenizer, prompt = "Once upon a time";
    Index steps = 48;
    std::function<void(const std::string& what)> progress;
};
struct Tour {
    TourSettings settings;
    Model model;
    std::vector<int> prompt; // its tokens, the mark of the beginning first
    std::vector<NamedShape> layer;
    std::vector<LockstepLane> sharing; // MHA, GQA, MQA
    HeadSaving saving;                 // 32 query heads on 4 KV heads
    CacheOptions cache;                // of the race
    std::vector<RaceLane> race;        // every kind of cache, and none

    const RaceLane& lane(std::string_view name) const;
};
Tour tour(const TourSettings& settings); // throws before anything long is computed, or not at all

} // namespace headroom
