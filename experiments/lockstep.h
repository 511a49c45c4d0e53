// MHA, GQA and MQA side by side: the same prompt, the same number of steps, the same kind of cache.
#pragma once
#include "experiments/models.h"
#include "reference/decoder/generate.h"

namespace headroom {

struct ShapeRow { // one decode step of one layer: the keys; the values have the same shape
    Index length;
    Shape past, added, result; // [B, Hkv, N - 1, D], [B, Hkv, 1, D], [B, Hkv, N, D]
};
struct LockstepLane {
    std::string name; // "MHA"
    DecoderConfig config;
    Generation run;
    std::vector<ShapeRow> shapes;   // of the decode steps
    Index bytes_per_token = 0;      // by which one more token raised the live bytes of all layers
    Index bytes_read_last_step = 0; // keys and values that the last step's attention read, all layers
};
struct LockstepSettings {
    std::vector<std::string> models = {"mha", "gqa", "mqa"};
    std::string prompt = "Once upon a time";
    Index steps = 48;
    CacheChoice cache = {.kind = "preallocated"};
};
std::vector<LockstepLane> lockstep(const LockstepSettings& settings, const Backend& backend);

// Two caches of one layer, really allocated: what a model with `q_heads` query heads reserves for `tokens` tokens with a
// KV head for each of them, and with `kv_heads`.
struct HeadSaving {
    Index all_heads_bytes, shared_bytes;
    double saved_percent;
};
HeadSaving head_saving(Index q_heads, Index kv_heads, Index head_dim, Index tokens);

} // namespace headroom
