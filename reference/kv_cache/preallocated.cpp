// One allocation of max_length per sequence; a step writes and nothing moves.
#include "reference/kv_cache/contiguous.h"

#include <stdexcept>

namespace headroom {
namespace {

class PreallocatedCache : public ContiguousCache {
public:
    PreallocatedCache(const KvGeometry& g, const CacheOptions& o)
        : ContiguousCache(g, 0, o.memory), capacity_(o.max_length)
    {
        if (capacity_ < 0) throw std::invalid_argument("preallocated cache: max_length must not be negative");
        rebuild(g.sequences, capacity_, identity(), lengths());
    }

private:
    void make_room(std::span<const Index> after) override
    {
        if (longest(after) > capacity_)
            throw std::length_error("preallocated cache: it holds " + std::to_string(capacity_) + " tokens, " +
                                    std::to_string(longest(after)) + " were asked for");
    }

    Index capacity_;
};

} // namespace

std::unique_ptr<KvCache> make_preallocated(const KvGeometry& g, const CacheOptions& o)
{
    return std::make_unique<PreallocatedCache>(g, o);
}

} // namespace headroom
