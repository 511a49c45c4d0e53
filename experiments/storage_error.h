// What a storage type costs in accuracy: the same numbers through a cache of that type and through one of f32.
#pragma once
#include "reference/kv_cache/kv_cache.h"

namespace headroom {

struct StorageError { // relative RMS: |stored - f32| / |f32|
    DType type;
    Scaling scaling;
    double k, v, output; // output: of attention over what is stored, both in double
};

struct StorageErrorSettings {
    Index q_heads = 8, kv_heads = 4, head_dim = 64, tokens = 256, queries = 8;
    double from = 0, to = 0; // uniform numbers in this range; from == to: standard normal ones
    std::uint64_t seed = 1;
};
StorageError storage_error(DType type, Scaling scaling, const StorageErrorSettings& settings);

struct StorageChoice {
    DType type;
    Scaling scaling;
};
std::vector<StorageChoice> storage_choices(); // every type with every scaling that it can have

} // namespace headroom
