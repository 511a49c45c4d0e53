#include "reference/kv_cache/paged.h"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

namespace headroom {
namespace {

Index pool_size(const KvGeometry& g, const CacheOptions& o)
{
    if (o.block < 1) throw std::invalid_argument("paged cache: a block holds at least 1 token");
    if (o.pool_blocks < 0 || o.max_length < 0)
        throw std::invalid_argument("paged cache: pool_blocks and max_length must not be negative");
    const Index blocks =
        o.pool_blocks ? o.pool_blocks : count({g.sequences, o.max_length / o.block + (o.max_length % o.block != 0)});
    if (blocks > std::numeric_limits<std::int32_t>::max())
        throw std::invalid_argument("paged cache: " + std::to_string(blocks) +
                                    " blocks are too many to number in 32 bits");
    return blocks;
}

} // namespace

PagedCache::PagedCache(const KvGeometry& g, const CacheOptions& o, PrefixHash hash)
    : KvCache(g, o.block, o.memory), pool_(pool_size(g, o)), prefixes_(pool_.size(), hash),
      lists_(static_cast<std::size_t>(g.sequences))
{
    rebuild(pool_.size(), o.block, {}, {});
}

Place PagedCache::place(Index b, Index position) const
{
    const List& blocks = lists_[static_cast<std::size_t>(b)];
    return {blocks[static_cast<std::size_t>(position / block_size())], position % block_size()};
}

// Counts first, then lets each list reserve its entries; what follows cannot fail.
void PagedCache::make_room(std::span<const Index> after)
{
    Index needed = 0;
    std::map<Index, Index> writers; // of a shared, partly filled last block
    for (Index b = 0; b < geometry().sequences; ++b) {
        const Index then = after[static_cast<std::size_t>(b)], now = seen(b);
        if (then == now) continue;
        needed += blocks_for(then) - blocks_for(now);
        const bool partly_filled = now % block_size() != 0;
        if (partly_filled && pool_.references(list(b).back()) > 1) ++writers[list(b).back()];
        list(b).reserve(static_cast<std::size_t>(blocks_for(then)));
    }
    for (const auto& [block, count] : writers) needed += std::min(count, pool_.references(block) - 1);
    if (needed > pool_.free_blocks())
        throw std::length_error("paged cache: the pool of " + std::to_string(pool_.size()) + " blocks of " +
                                std::to_string(block_size()) + " tokens has " + std::to_string(pool_.free_blocks()) +
                                " free, this step needs " + std::to_string(needed));

    for (Index b = 0; b < geometry().sequences; ++b) {
        const Index then = after[static_cast<std::size_t>(b)];
        if (then == seen(b)) continue;
        if (seen(b) % block_size() != 0) own_last_block(b);
        while (static_cast<Index>(list(b).size()) < blocks_for(then)) list(b).push_back(take(b));
    }
}

// A block that others read is copied before it is written; one that only its finders might read is no longer found.
void PagedCache::own_last_block(Index b) noexcept
{
    Index& block = list(b).back();
    if (pool_.references(block) == 1) return prefixes_.forget(block);
    const Index shared = block;
    block = take(b);
    copy_within(b, {shared, 0}, {block, 0}, seen(b) % block_size());
    pool_.release(shared);
}

Index PagedCache::take(Index sequence) noexcept
{
    const Index block = pool_.take();
    prefixes_.forget(block);
    note(CacheEvent::Kind::allocate, sequence, {block, 0}, block_size());
    return block;
}

void PagedCache::release_beyond(Index b, Index tokens) noexcept
{
    while (static_cast<Index>(list(b).size()) > blocks_for(tokens)) {
        const Index block = list(b).back();
        list(b).pop_back();
        pool_.release(block);
        if (pool_.references(block) == 0) note(CacheEvent::Kind::free, b, {block, 0}, block_size());
    }
}

void PagedCache::shrink(std::span<const Index> lengths)
{
    for (Index b = 0; b < geometry().sequences; ++b) release_beyond(b, lengths[static_cast<std::size_t>(b)]);
}

void PagedCache::settle() noexcept
{
    for (Index b = 0; b < geometry().sequences; ++b) release_beyond(b, seen(b)); // of an abandoned step
}

// Nothing is copied: the new rows use the old rows' blocks once more, then the old rows give them back.
void PagedCache::move_rows(std::span<const Index> rows, std::span<const Index>)
{
    std::vector<List> moved;
    for (const Index row : rows) moved.push_back(list(row));
    lists_.swap(moved);
    for (std::size_t b = 0; b < lists_.size(); ++b)
        for (const Index block : lists_[b]) {
            pool_.share(block);
            note(CacheEvent::Kind::share, static_cast<Index>(b), {block, 0}, block_size());
        }
    for (const List& old : moved)
        for (auto block = old.rbegin(); block != old.rend(); ++block) {
            pool_.release(*block);
            if (pool_.references(*block) == 0) note(CacheEvent::Kind::free, -1, {*block, 0}, block_size());
        }
}

Index PagedCache::live_rows() const
{
    std::vector<Index> visible(static_cast<std::size_t>(pool_.size())); // rows of each block
    for (Index b = 0; b < geometry().sequences; ++b)
        for (Index j = 0; j < seen(b); j += block_size()) {
            Index& rows = visible[static_cast<std::size_t>(place(b, j).block)];
            rows = std::max(rows, std::min(block_size(), seen(b) - j));
        }
    Index total = 0;
    for (const Index rows : visible) total += rows;
    return total;
}

PageCounters PagedCache::pages() const
{
    const Index used = pool_.size() - pool_.free_blocks();
    return {pool_.size(), pool_.free_blocks(), pool_.shared_blocks(), used * block_size() - live_rows()};
}

Index PagedCache::adopt_prefix(Index sequence, TokenSpan tokens)
{
    require_no_step();
    if (sequence < 0 || sequence >= geometry().sequences || seen(sequence) != 0)
        throw std::invalid_argument("paged cache: only an empty sequence can take over a beginning");
    List found;
    PrefixIndex::Content before;
    for (Index first = 0; first + block_size() <= static_cast<Index>(tokens.size()); first += block_size()) {
        const auto [block, content] = prefixes_.find(
            before, tokens.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(block_size())));
        if (block < 0) break;
        found.push_back(block);
        before = content;
    }
    const Index length = static_cast<Index>(found.size()) * block_size();
    list(sequence).swap(found);
    try {
        adopt_length(sequence, length);
    } catch (...) {
        list(sequence).swap(found);
        throw;
    }
    for (const Index block : list(sequence)) {
        pool_.share(block);
        note(CacheEvent::Kind::share, sequence, {block, 0}, block_size());
    }
    return length;
}

void PagedCache::publish(Index sequence, TokenSpan tokens)
{
    require_no_step();
    if (sequence < 0 || sequence >= geometry().sequences || static_cast<Index>(tokens.size()) < seen(sequence))
        throw std::invalid_argument("paged cache: publish needs all tokens of a sequence");
    PrefixIndex::Content before;
    for (Index first = 0; first + block_size() <= seen(sequence); first += block_size())
        before =
            prefixes_.publish(place(sequence, first).block, before,
                              tokens.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(block_size())));
}

std::unique_ptr<KvCache> make_paged(const KvGeometry& g, const CacheOptions& o)
{
    return std::make_unique<PagedCache>(g, o);
}

} // namespace headroom
