// Starts small and multiplies its capacity when full: a copy now and then.
#include "reference/kv_cache/kv_cache.h"
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace headroom {

class GrowingCache : public KvCache {
public:
    GrowingCache(const KvGeometry& g, const CacheOptions& o)
        : KvCache(g, o.initial), growth_(o.growth), max_length_(o.max_length)
    {
        allocate(g.sequences, o.initial);
    }

private:
    void make_room(std::span<const Index> after) override
    {
        const Index longest = *std::max_element(after.begin(), after.end());
        if (longest > max_length_)
            throw std::length_error("cache may grow to " + std::to_string(max_length_) + " tokens, " +
                                    std::to_string(longest) + " asked for");
        if (longest <= block_size()) return;
        const Index grown = static_cast<Index>(std::ceil(double(block_size()) * growth_));
        reallocate(geometry().sequences, std::min(max_length_, std::max(longest, grown)));
    }
    Place place(Index b, Index position) const override { return {b, position}; }
    void move_rows(std::span<const Index>) override {}

    double growth_;
    Index max_length_;
};

std::unique_ptr<KvCache> make_growing(const KvGeometry& g, const CacheOptions& o)
{
    return std::make_unique<GrowingCache>(g, o);
}

} // namespace headroom
