// The same random tokens through every kind of cache, recorded: where each lies, what moves, what is held.
#pragma once
#include "reference/recording/recording.h"

namespace headroom {

struct RecordCachesSettings {
    Index kv_heads = 1, head_dim = 16, steps = 24; // one token a step
    DType type = DType::f32;
    CacheOptions options = {.max_length = 24, .initial = 4, .block = 4, .pool_blocks = 8, .window = 12, .sinks = 2};
    std::uint64_t seed = 1;
};

// A lane for each kind, and one more for the preallocated kind in 8 bit. No attention: only where the rows go.
Recording record_caches(const RecordCachesSettings& settings);

} // namespace headroom
