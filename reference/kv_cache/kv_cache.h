// The keys and values of the tokens seen so far, for all layers. A step is a transaction:
//
//     cache.begin_step({n, ...});                       all or nothing: throws, and nothing has changed
//     for each layer: cache.write(layer, k, v);  attention(q, cache.view(layer));
//     cache.end_step();                                 the lengths advance, once
//
// std::length_error: it does not fit; std::invalid_argument: wrong shapes or numbers; std::logic_error: wrong order of
// calls. After any of them the cache is as it was before the call.
#pragma once
#include "reference/contract/kv_view.h"
#include "reference/kv_cache/layer_store.h"
#include "reference/kv_cache/metered_memory.h"
#include <memory>
#include <string_view>

namespace headroom {

class KvCache {
public:
    virtual ~KvCache() = default;
    KvCache(const KvCache&) = delete;

    void begin_step(std::span<const Index> new_tokens);        // [B]
    void write(Index layer, const Tensor& k, const Tensor& v); // [B, Hkv, L, D], [B, Hkv, L, Dv]; of row b the
                                                               // first new_tokens[b]
    KvView view(Index layer) const; // with the tokens of the open step; until the next call that changes the cache
    void end_step();
    void abandon_step() noexcept;
    void append(const Tensor& k, const Tensor& v); // one layer, one step (a ring: as many as it needs)

    void truncate(std::span<const Index> lengths); // [B]; never lengthens
    void select(std::span<const Index> rows);      // row b becomes old row rows[b]: reorder, fork, drop; any number
    void reset();                                  // no tokens; what is reserved may stay

    const KvGeometry& geometry() const { return geometry_; }
    std::span<const Index> lengths() const { return seen_; } // tokens seen: the next token's position
    virtual Index longest_append() const;                    // what a step takes; a ring takes a prompt in pieces
    virtual Index positions_in_cache() const { return 0; }   // how many, where a slot is a position; 0: absolute ones
    KvCounters counters() const;

    void record_events(bool on) { recording_ = on; }
    std::vector<CacheEvent> take_events();

protected:
    KvCache(KvGeometry geometry, Index block_size, std::pmr::memory_resource* memory);

    // All that a kind decides. What may throw does so before it changes anything.
    virtual void make_room(std::span<const Index> after) = 0;  // so that these lengths fit: allocate, grow, evict
    virtual Place place(Index b, Index position) const = 0;    // where a token lies
    virtual void shrink(std::span<const Index> /*lengths*/) {} // before a truncation: give back, or refuse
    virtual void move_rows(std::span<const Index> rows,
                           std::span<const Index> lengths); // before the lengths move along
    virtual void settle() noexcept {}                       // the lengths are what they are now: trim, evict
    virtual bool has_table() const { return false; }
    virtual Index kept_first() const { return 0; }
    virtual Index live_rows() const; // shared rows count once
    virtual Index blocks_for_sequences(Index sequences) const { return sequences; }

    // Tools for kinds.
    void rebuild(Index blocks, Index block_size, std::span<const Index> rows,
                 std::span<const Index> lengths); // fresh storage; row b gets the first tokens of old row rows[b]
    void copy_within(Index sequence, Place from, Place to, Index rows) noexcept;
    void note(CacheEvent::Kind kind, Index sequence, Place at, Index rows) noexcept;
    Index seen(Index b) const { return seen_[static_cast<std::size_t>(b)]; }
    Index evicted(Index b) const { return evicted_[static_cast<std::size_t>(b)]; }
    void evict(Index b, Index count) noexcept; // so many in all, behind the first kept_first()
    void adopt_length(Index b, Index length);  // tokens that another sequence has written
    void require_no_step() const;
    std::vector<Index> identity() const; // 0, 1, … sequences - 1
    Index blocks() const { return blocks_; }
    Index block_size() const { return block_size_; }

private:
    KvGeometry geometry_;
    MeteredMemory memory_;
    Index blocks_ = 0, block_size_ = 0, copied_rows_ = 0;
    std::vector<LayerStore> layers_;                                  // empty until something is allocated
    std::vector<Index> seen_, new_tokens_, after_, evicted_, stored_; // [B]; after_: the lengths a change aims at
    std::vector<bool> written_;                                       // [layers], in the open step
    std::vector<std::int32_t> table_;
    Index table_width_ = 0;
    bool open_ = false, recording_ = false;
    std::vector<CacheEvent> events_;

    template <class Change> void all_or_nothing(Change change);
    void check_rows(Index layer, const Tensor& k, const Tensor& v, Index tokens) const;
    void write_rows(Index layer, const Tensor& k, const Tensor& v, Index first) noexcept;
    void copy_rows(const std::vector<LayerStore>& from_layers, Place from, std::vector<LayerStore>& to_layers,
                   Index sequence, Place to, Index rows) noexcept;
    void reserve_table(std::span<const Index> lengths, std::size_t sequences);
    void refresh_view() noexcept;
    void note_writes() noexcept;
};

struct CacheKind {
    std::string_view name, idea;
    std::unique_ptr<KvCache> (*make)(const KvGeometry&, const CacheOptions&);
};
std::span<const CacheKind> cache_kinds();           // the lines of kinds.inc
const CacheKind& cache_kind(std::string_view name); // throws std::invalid_argument listing the names

} // namespace headroom
