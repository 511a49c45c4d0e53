// Blocks from one pool; each sequence has a list of its blocks. Forks and equal beginnings share blocks; who writes into
// a shared block first gets its own copy (Kwon et al. 2023, PagedAttention).
#pragma once
#include "reference/kv_cache/block_pool.h"
#include "reference/kv_cache/kv_cache.h"
#include "reference/kv_cache/prefix_index.h"

namespace headroom {

struct PageCounters {
    Index blocks = 0, free_blocks = 0, shared_blocks = 0; // shared: used by more than one sequence
    Index wasted_rows = 0;                                // of used blocks, without a visible token
};

class PagedCache : public KvCache {
public:
    // pool_blocks 0: as many as all sequences need at max_length
    PagedCache(const KvGeometry& geometry, const CacheOptions& options, PrefixHash hash = fnv1a_chain);

    PageCounters pages() const;
    std::span<const Index> blocks_of(Index sequence) const { return lists_.at(static_cast<std::size_t>(sequence)); }

    // Sharing of beginnings: an empty sequence takes over the full blocks that hold the first of these tokens, and has
    // their length then, which is returned; leave out a token that must still be computed. publish() says which tokens
    // a sequence has stored, so that others can find its full blocks, even after it has given them back.
    Index adopt_prefix(Index sequence, TokenSpan tokens);
    void publish(Index sequence, TokenSpan tokens);

private:
    void make_room(std::span<const Index> after) override;
    Place place(Index b, Index position) const override;
    void shrink(std::span<const Index> lengths) override;
    void move_rows(std::span<const Index> rows, std::span<const Index> lengths) override;
    void settle() noexcept override;
    bool has_table() const override { return true; }
    Index live_rows() const override;

    using List = std::vector<Index>;
    Index blocks_for(Index tokens) const { return (tokens + block_size() - 1) / block_size(); }
    List& list(Index b) { return lists_[static_cast<std::size_t>(b)]; }
    Index take(Index sequence) noexcept;
    void release_beyond(Index sequence, Index tokens) noexcept;
    void own_last_block(Index sequence) noexcept;

    BlockPool pool_;
    PrefixIndex prefixes_;
    std::vector<List> lists_;
};

} // namespace headroom
