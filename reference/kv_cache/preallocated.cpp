// One allocation of max_length per sequence; a step writes and nothing moves.
#include "reference/kv_cache/kv_cache.h"
#include <algorithm>
#include <stdexcept>

namespace headroom {

class PreallocatedCache : public KvCache {
public:
    PreallocatedCache(const KvGeometry& g, Index max_length) : KvCache(g, max_length)
    {
        allocate(g.sequences, max_length);
    }

private:
    void make_room(std::span<const Index> after) override
    {
        const Index longest = *std::max_element(after.begin(), after.end());
        if (longest > block_size())
            throw std::length_error("cache holds " + std::to_string(block_size()) + " tokens, " +
                                    std::to_string(longest) + " asked for");
    }
    Place place(Index b, Index position) const override { return {b, position}; }
    void move_rows(std::span<const Index>) override {}
};

std::unique_ptr<KvCache> make_preallocated(const KvGeometry& g, const CacheOptions& o)
{
    return std::make_unique<PreallocatedCache>(g, o.max_length);
}

} // namespace headroom
