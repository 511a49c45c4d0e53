// MHA, GQA and MQA side by side on the same input: every number of every step, recorded.
#pragma once
#include "reference/recording/recording.h"

namespace headroom {

struct RecordLockstepSettings {
    struct LaneSettings {
        std::string name;
        Index kv_heads;
    };
    Index q_heads = 8, head_dim = 4, prompt = 6, steps = 18; // steps: decoded tokens behind the prompt
    std::vector<LaneSettings> lanes = {{"mha", 8}, {"gqa", 2}, {"mqa", 1}};
    std::string cache = "preallocated";
    DType kv_type = DType::f32;
    std::uint64_t seed = 1;
};

// Random queries, keys and values: every lane sees the same queries, and a KV head that is shared is the first of the
// MHA heads that it replaces, so that the lanes differ in nothing but the sharing.
Recording record_lockstep(const RecordLockstepSettings& settings); // throws std::invalid_argument

} // namespace headroom
