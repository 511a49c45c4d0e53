// One text through every kind of cache, and without one: the same tokens, other bytes, other work.
#pragma once
#include "reference/decoder/generate.h"

namespace headroom {

struct RaceLane {
    std::string name, idea; // a cache kind; "none": everything is computed again
    Generation run;
    bool same_text = true;             // as the first lane's; a ring that has forgotten may differ
    Index copied = 0, most_copied = 0; // bytes of old tokens moved: in all, and in the worst step
    double prefill_ms = 0, decode_ms = 0;
    Work work; // of all steps
};
struct CacheRaceSettings {
    std::vector<int> prompt;
    Index steps = 48;
    CacheOptions options = {.max_length = 128, .initial = 16, .window = 32, .sinks = 4};
    DType type = DType::f32;
    bool without_cache = true;
};
std::vector<RaceLane> cache_race(const Decoder& model, const CacheRaceSettings& settings, const Backend& backend);

} // namespace headroom
