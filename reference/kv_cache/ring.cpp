// Keeps the first `sinks` tokens and a window of the newest: constant bytes, whatever the length.
//
//     slots of a sequence     [ sinks | window - 1 + longest_append ]      block (b, slot), one slot each
//     position p lies in slot   p < sinks ? p : sinks + (p - sinks) % (window - 1 + longest_append)
//
// During a step of n tokens the view has the window - 1 + n newest, which is what the first new query needs; after it
// the `window` newest. A prompt longer than longest_append is appended in pieces.
//
// With in-cache positions a step takes one token: the queries of a longer one would see the sinks at distances that
// depend on how a text is cut into steps.
#include "reference/kv_cache/kv_cache.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace headroom {
namespace {

const CacheOptions& checked_ring(const CacheOptions& o, Index sequences)
{
    if (o.window < 1) throw std::invalid_argument("ring cache: it needs a window of at least 1 token");
    if (o.sinks < 0) throw std::invalid_argument("ring cache: sinks must not be negative");
    if (o.longest_append < 1) throw std::invalid_argument("ring cache: longest_append must be at least 1");
    constexpr Index largest = Index{1} << 48; // so that their sums fit
    if (o.window > largest || o.sinks > largest || o.longest_append > largest)
        throw std::invalid_argument("ring cache: window, sinks and longest_append must not exceed 2^48 tokens");
    double slots = 0; // each is a block
    for (const Index part : {o.window, o.sinks, o.longest_append}) slots += static_cast<double>(part);
    if (slots * static_cast<double>(sequences) > std::numeric_limits<std::int32_t>::max())
        throw std::invalid_argument("ring cache: its slots are too many to number in 32 bits");
    return o;
}

class RingCache : public KvCache {
public:
    RingCache(const KvGeometry& g, const CacheOptions& o)
        : KvCache(g, 1, o.memory), sinks_(o.sinks), window_(checked_ring(o, g.sequences).window),
          in_cache_(o.positions == RingPositions::in_cache), longest_(in_cache_ ? 1 : o.longest_append),
          ring_(window_ - 1 + longest_), oldest_(static_cast<std::size_t>(g.sequences))
    {
        rebuild(blocks_for_sequences(g.sequences), 1, {}, {});
    }
    Index longest_append() const override { return longest_; }
    Index positions_in_cache() const override { return in_cache_ ? sinks_ + window_ : 0; }

private:
    Place place(Index b, Index p) const override
    {
        const Index slot = p < sinks_ ? p : sinks_ + (p - sinks_) % ring_;
        return {b * (sinks_ + ring_) + slot, 0};
    }

    // The first new query still sees window - 1 older keys: those stay, what lies before them goes.
    void make_room(std::span<const Index> after) override
    {
        for (Index b = 0; b < geometry().sequences; ++b) {
            Index& oldest = oldest_[static_cast<std::size_t>(b)];
            oldest = std::max(oldest, after[static_cast<std::size_t>(b)] - ring_);
            evict_before(b, std::max(oldest, seen(b) - (window_ - 1)));
        }
    }
    void settle() noexcept override
    {
        for (Index b = 0; b < geometry().sequences; ++b)
            evict_before(b, std::max(oldest_[static_cast<std::size_t>(b)], seen(b) - window_));
    }
    void evict_before(Index b, Index position) noexcept
    {
        evict(b, std::max<Index>(0, std::min(position, seen(b)) - sinks_));
    }

    // A shorter sequence is as good as new only if the next token's window still stands in the ring.
    void shrink(std::span<const Index> lengths) override
    {
        for (Index b = 0; b < geometry().sequences; ++b) {
            const Index oldest = oldest_[static_cast<std::size_t>(b)], length = lengths[static_cast<std::size_t>(b)];
            const Index needed = std::max(sinks_, length - (window_ - 1));
            if (length < seen(b) && length > sinks_ && needed < oldest)
                throw std::length_error("ring cache: sequence " + std::to_string(b) + " cannot be truncated to " +
                                        std::to_string(length) + " tokens, positions " + std::to_string(needed) +
                                        " … " + std::to_string(oldest - 1) + " are evicted");
        }
        for (Index b = 0; b < geometry().sequences; ++b)
            if (lengths[static_cast<std::size_t>(b)] <= sinks_) oldest_[static_cast<std::size_t>(b)] = 0;
    }
    void move_rows(std::span<const Index> rows, std::span<const Index> lengths) override
    {
        std::vector<Index> oldest; // only what is visible moves
        for (const Index row : rows) oldest.push_back(evicted(row) > 0 ? sinks_ + evicted(row) : 0);
        KvCache::move_rows(rows, lengths);
        oldest_.swap(oldest);
    }

    bool has_table() const override { return true; }
    Index kept_first() const override { return sinks_; }
    Index blocks_for_sequences(Index sequences) const override { return count({sequences, sinks_ + ring_}); }

    Index sinks_, window_;
    bool in_cache_;
    Index longest_, ring_;
    std::vector<Index> oldest_; // [B] the first position behind the sinks that is still in its slot
};

} // namespace

std::unique_ptr<KvCache> make_ring(const KvGeometry& g, const CacheOptions& o)
{
    return std::make_unique<RingCache>(g, o);
}

} // namespace headroom
