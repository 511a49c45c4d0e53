// Bytes of a geometry's cache: calculated exactly as the caches allocate them, refused beyond 2^63 - 1.
#pragma once
#include "reference/planning/geometry.h"
#include "reference/planning/kv_format.h"
#include <optional>

namespace headroom {

enum class Eviction {
    windows,            // a window layer keeps its window, all others keep everything
    windows_and_chunks, // a chunked layer keeps one chunk as well
    none,               // every layer keeps every token
};

struct KvSettings {
    KvFormat format;
    Index page = 1;          // tokens per block; a sequence takes whole blocks in each layer
    Index ranks = 1;         // tensor parallel: KV heads are divided among them, or replicated
    Index source_tokens = 0; // encoder or image tokens, where the file does not fix them
    Eviction eviction = Eviction::windows;
};

// All of these are per rank. Refuse ranks that neither divide the KV heads nor are divided by them.
Index token_bytes(const LayerGeometry& layer, const KvSettings& settings); // one layer, one token
Index bytes_per_token(const Geometry&, const KvSettings&);                 // before any window is full
Index bytes_per_token_beyond_window(const Geometry&, const KvSettings&);   // when every window is full
Index bytes_per_token_expanded(const Geometry&, const KvSettings&);        // MLA kept as K and V of every head
Index source_token_bytes(const Geometry&, const KvSettings&);              // per encoder or image token
Index fixed_bytes(const Geometry&, const KvSettings&);                     // per sequence, whatever its length
Index sequence_bytes(const Geometry&, const KvSettings&, Index context);   // one sequence of `context` tokens
Index kv_bytes(const Geometry&, const KvSettings&, Index context, Index batch);
// The same; empty beyond 2^63 - 1: for what an answer is only compared with.
std::optional<Index> kv_bytes_if_countable(const Geometry&, const KvSettings&, Index context, Index batch);

// What one decode step of one sequence reads: a layer that shares a cache reads it once more.
Index read_bytes(const Geometry&, const KvSettings&, Index context);

Index kept_tokens(const LayerGeometry& layer, const KvSettings& settings, Index context); // whole blocks
Index heads_on_rank(Index kv_heads, Index ranks);

// The same model with all heads keeping K and V of their own, or all sharing one.
Geometry as_mha(const Geometry&);
Geometry as_mqa(const Geometry&);

} // namespace headroom
