// Allocates exactly what is stored, anew whenever the length changes, and copies all of it.
#include "reference/kv_cache/contiguous.h"

namespace headroom {
namespace {

class ConcatCache : public ContiguousCache {
public:
    ConcatCache(const KvGeometry& g, const CacheOptions& o) : ContiguousCache(g, 0, o.memory) {}

private:
    void make_room(std::span<const Index> after) override
    {
        if (longest(after) != block_size()) rebuild(geometry().sequences, longest(after), identity(), lengths());
    }
    void shrink(std::span<const Index> lengths) override
    {
        if (longest(lengths) != block_size()) rebuild(geometry().sequences, longest(lengths), identity(), lengths);
    }
    void move_rows(std::span<const Index> rows, std::span<const Index> lengths) override
    {
        rebuild(static_cast<Index>(rows.size()), longest(lengths), rows, lengths);
    }
};

} // namespace

std::unique_ptr<KvCache> make_concat(const KvGeometry& g, const CacheOptions& o)
{
    return std::make_unique<ConcatCache>(g, o);
}

} // namespace headroom
