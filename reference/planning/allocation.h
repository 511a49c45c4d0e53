// From a calculated geometry to a cache that can be allocated: what ties the calculation to reality.
#pragma once
#include "reference/kv_cache/geometry.h"
#include "reference/planning/kv_bytes.h"

namespace headroom {

// `layers` layers like this one. Throws std::invalid_argument for a layer without a cache and a format that no cache
// stores (i4, scales of other kinds than the caches').
KvGeometry allocatable(const LayerGeometry& layer, Index layers, Index sequences, const KvFormat& format);

} // namespace headroom
