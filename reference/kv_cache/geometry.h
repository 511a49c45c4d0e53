// The nouns of a cache: what it stores, what it is told, what it counts.
#pragma once
#include "reference/tensor/scaling.h"
#include <memory_resource>

namespace headroom {

struct StaticScales { // of one layer; as many as scale_count() says for its K and its V
    std::vector<float> k, v;
};

struct KvGeometry {
    Index layers = 1, sequences = 1, kv_heads = 1, head_dim = 1, value_dim = 1;
    DType type = DType::f32;
    Scaling scaling = Scaling::none; // 8-bit types: per_head_and_token unless chosen. per_channel concerns K alone,
                                     // V then has a scale per head and token
    std::vector<StaticScales> scales = {}; // [layers], for the static scalings; never found out from what is stored
    bool value_in_key = false;             // latent cache: v is the first value_dim columns of k and takes no bytes

    Scaling k_scaling() const { return scaling; }
    Scaling v_scaling() const { return scaling == Scaling::per_channel ? Scaling::per_head_and_token : scaling; }
};
KvGeometry checked(KvGeometry geometry); // fills in the usual scaling; std::invalid_argument names what cannot be

enum class RingPositions : std::uint8_t {
    absolute, // a key stands where its token stood in the text
    in_cache // StreamingLLM (Xiao et al. 2023, section 3.2): a key stands where it lies in the cache; what is stored is
             // not turned by RoPE yet, its reader turns it by that position
};

struct CacheOptions { // each kind reads its own
    Index max_length = 2048, initial = 512, block = 16, pool_blocks = 0, window = 0, sinks = 0, longest_append = 64;
    double growth = 1.5;
    RingPositions positions = RingPositions::absolute;
    std::pmr::memory_resource* memory = nullptr; // where the bytes come from; null: new and delete
};

struct KvCounters {        // bytes, K and V of all layers, scales included
    Index live = 0;        // of the visible tokens; shared rows count once
    Index reserved = 0;    // allocated now
    Index peak = 0;        // the most ever reserved at one time
    Index copied = 0;      // old tokens moved by the last step, select or truncate
    Index allocations = 0; // ever made; K and V of a layer are one
};

struct CacheEvent { // for the viewer: what happened to which rows; bytes of all layers
    enum class Kind : std::uint8_t { allocate, copy, write, evict, share, free } kind;
    Index sequence; // -1: all
    Index block, slot, rows, bytes;
};

} // namespace headroom
