// What the kinds share that keep each sequence in one piece: token p of sequence b lies in slot p of block b.
#pragma once
#include "reference/kv_cache/kv_cache.h"
#include <algorithm>

namespace headroom {

class ContiguousCache : public KvCache {
protected:
    using KvCache::KvCache;
    Place place(Index b, Index position) const override { return {b, position}; }
    static Index longest(std::span<const Index> lengths)
    {
        return lengths.empty() ? 0 : *std::ranges::max_element(lengths);
    }
};

} // namespace headroom
