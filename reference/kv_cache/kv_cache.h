// The keys and values of the tokens seen so far, for all layers. A step is a transaction:
//
//     cache.begin_step({n, ...});                       all or nothing: throws, and nothing has changed
//     for each layer: cache.write(layer, k, v);  attention(q, cache.view(layer));
//     cache.end_step();                                 the lengths advance, once
#pragma once
#include "reference/contract/kv_view.h"
#include <memory>
#include <string_view>

namespace headroom {

struct KvGeometry {
    Index layers = 1, sequences = 1, kv_heads = 1, head_dim = 1, value_dim = 1;
    DType type = DType::f32;
    Scaling scaling = Scaling::none;
};

struct KvCounters { // bytes, K and V, all layers
    Index live = 0, reserved = 0, peak = 0, copied = 0, allocations = 0;
};

struct CacheEvent { // for the viewer: what happened to which rows
    enum class Kind : std::uint8_t { allocate, copy, write, evict, share, free } kind;
    Index sequence, block, slot, rows, bytes;
};

class KvCache {
public:
    virtual ~KvCache() = default;

    void begin_step(std::span<const Index> new_tokens); // [B]
    void write(Index layer, const Tensor& k,
               const Tensor& v);    // [B, Hkv, L, D], [B, Hkv, L, Dv]; row b: its first new_tokens[b]
    KvView view(Index layer) const; // includes the tokens of the open step
    void end_step();
    void abandon_step();
    void append(const Tensor& k, const Tensor& v); // one layer, one step

    void truncate(std::span<const Index> lengths); // [B]; never lengthens
    void select(std::span<const Index> rows);      // row b becomes old row rows[b]: fork, reorder, drop
    void reset();

    const KvGeometry& geometry() const { return geometry_; }
    std::span<const Index> lengths() const { return seen_; } // tokens seen: the next token's position
    virtual Index longest_append() const;                    // a ring takes a prompt in pieces
    KvCounters counters() const;
    std::vector<CacheEvent> take_events();

protected:
    KvCache(KvGeometry geometry, Index block_size);

    // All that a kind decides. `after` are the lengths when the step has ended.
    virtual void
    make_room(std::span<const Index> after) = 0; // allocate, grow, evict; or throw before changing anything
    virtual Place place(Index b, Index position) const = 0;
    virtual void shrink(Index /*b*/, Index /*length*/) {} // give blocks back; refuse what was evicted
    virtual void move_rows(std::span<const Index> rows) = 0;
    virtual bool has_table() const { return false; }
    virtual Index kept_first() const { return 0; }
    virtual Index live_rows() const; // shared rows count once

    // Tools for kinds.
    void allocate(Index blocks, Index block_size);   // fresh, empty
    void reallocate(Index blocks, Index block_size); // keeps what is stored, counts what it copies
    void copy_row(Place from, Place to);
    void note(CacheEvent event) { events_.push_back(event); }
    Index evicted(Index b) const { return evicted_[static_cast<std::size_t>(b)]; }
    void set_evicted(Index b, Index count) { evicted_[static_cast<std::size_t>(b)] = count; }
    Index blocks() const { return blocks_; }
    Index block_size() const { return block_size_; }

private:
    KvGeometry geometry_;
    Index blocks_ = 0, block_size_ = 0;
    ByteMeter meter_;
    std::vector<StoredTensor> k_, v_;                         // a layer each: [blocks, Hkv, block_size, D]
    std::vector<Index> seen_, new_tokens_, evicted_, stored_; // [B]
    std::vector<std::int32_t> table_;
    Index table_width_ = 0;
    bool open_ = false;
    std::vector<CacheEvent> events_;
    void refresh_view();
    friend class KvCacheTest;
};

struct CacheOptions {
    Index max_length = 2048, initial = 512, block = 16, pool_blocks = 0, window = 0, sinks = 0, longest_append = 64;
    double growth = 1.5;
};
struct CacheKind {
    std::string_view name, idea;
    std::unique_ptr<KvCache> (*make)(const KvGeometry&, const CacheOptions&);
};
std::span<const CacheKind> cache_kinds(); // the lines of kinds.inc

} // namespace headroom
