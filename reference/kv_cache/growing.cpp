// Starts small and multiplies its capacity when full: a copy now and then.
//
//     first append    capacity = max(initial, that append)
//     when full       capacity = max(required, floor(capacity * growth))      neither above max_length
#include "reference/kv_cache/contiguous.h"

#include <cmath>
#include <stdexcept>

namespace headroom {
namespace {

class GrowingCache : public ContiguousCache {
public:
    GrowingCache(const KvGeometry& g, const CacheOptions& o)
        : ContiguousCache(g, 0, o.memory), initial_(o.initial), max_length_(o.max_length), growth_(o.growth)
    {
        if (initial_ < 0 || max_length_ < 0)
            throw std::invalid_argument("growing cache: initial and max_length must not be negative");
        if (!(growth_ >= 1 && std::isfinite(growth_)))
            throw std::invalid_argument("growing cache: the growth factor must be at least 1");
    }

private:
    void make_room(std::span<const Index> after) override
    {
        const Index required = longest(after);
        if (required > max_length_)
            throw std::length_error("growing cache: it may grow to " + std::to_string(max_length_) + " tokens, " +
                                    std::to_string(required) + " were asked for");
        if (required <= block_size()) return;
        const double grown = std::min(std::floor(static_cast<double>(block_size()) * growth_), 0x1p62);
        const Index capacity = block_size() == 0 ? initial_ : static_cast<Index>(grown);
        rebuild(geometry().sequences, std::min(max_length_, std::max(required, capacity)), identity(), lengths());
    }

    Index initial_, max_length_;
    double growth_;
};

} // namespace

std::unique_ptr<KvCache> make_growing(const KvGeometry& g, const CacheOptions& o)
{
    return std::make_unique<GrowingCache>(g, o);
}

} // namespace headroom
