// What moves in a cache: fresh storage, copied rows, evictions. All copying goes through one function, which counts.
#include "reference/kv_cache/kv_cache.h"

#include <algorithm>
#include <new>
#include <utility>

namespace headroom {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

} // namespace

void KvCache::copy_rows(const std::vector<LayerStore>& from_layers, Place from, std::vector<LayerStore>& to_layers,
                        Index sequence, Place to, Index rows) noexcept
{
    for (std::size_t layer = 0; layer < to_layers.size(); ++layer)
        to_layers[layer].copy(from_layers[layer], from.block, from.slot, to.block, to.slot, rows);
    copied_rows_ += rows;
    note(CacheEvent::Kind::copy, sequence, to, rows);
}

void KvCache::copy_within(Index sequence, Place from, Place to, Index rows) noexcept
{
    copy_rows(layers_, from, layers_, sequence, to, rows);
}

void KvCache::rebuild(Index blocks, Index block_size, std::span<const Index> rows, std::span<const Index> lengths)
{
    // All that can fail: the fresh storage of all layers, while the old one is still there.
    std::vector<LayerStore> fresh;
    if (blocks > 0 && block_size > 0) {
        fresh.reserve(at(geometry_.layers));
        for (Index layer = 0; layer < geometry_.layers; ++layer)
            fresh.emplace_back(geometry_, layer, blocks, block_size, memory_);
        note(CacheEvent::Kind::allocate, -1, {0, 0}, blocks * block_size);
    }

    // Runs of rows that lie side by side in both move together.
    for (Index b = 0; b < static_cast<Index>(rows.size()); ++b) {
        const Index source = rows[at(b)];
        Index position = 0;
        while (position < lengths[at(b)]) {
            if (position == kept_first()) position += evicted(source);
            const Place from = place(source, position), to = place(b, position);
            const Index end = position < kept_first() ? std::min(kept_first(), lengths[at(b)]) : lengths[at(b)];
            const Index run = std::min({end - position, block_size_ - from.slot, block_size - to.slot});
            if (run <= 0) break;
            copy_rows(layers_, from, fresh, b, to, run);
            position += run;
        }
    }
    if (!layers_.empty()) note(CacheEvent::Kind::free, -1, {0, 0}, blocks_ * block_size_);
    layers_.swap(fresh);
    blocks_ = blocks;
    block_size_ = block_size;
}

void KvCache::move_rows(std::span<const Index> rows, std::span<const Index> lengths)
{
    const bool same = static_cast<Index>(rows.size()) == geometry_.sequences && std::ranges::equal(rows, identity());
    if (!same && !layers_.empty())
        rebuild(blocks_for_sequences(static_cast<Index>(rows.size())), block_size_, rows, lengths);
}

void KvCache::evict(Index b, Index count) noexcept
{
    const Index before = std::exchange(evicted_[at(b)], count);
    if (count > before) note(CacheEvent::Kind::evict, b, place(b, kept_first() + before), count - before);
}

void KvCache::adopt_length(Index b, Index length)
{
    std::ranges::copy(seen_, after_.begin());
    after_[at(b)] = length;
    reserve_table(after_, seen_.size());
    seen_[at(b)] = length;
    refresh_view();
}

// A note that finds no memory ends the recording, not the step.
void KvCache::note(CacheEvent::Kind kind, Index sequence, Place where, Index rows) noexcept
try {
    if (!recording_) return;
    const Index bytes = rows * geometry_.layers * bytes_per_token(geometry_);
    events_.push_back({kind, sequence, where.block, where.slot, rows, bytes});
} catch (const std::bad_alloc&) {
    recording_ = false;
}

void KvCache::note_writes() noexcept
{
    if (!recording_) return;
    for (Index b = 0; b < geometry_.sequences; ++b)
        for (Index i = 0; i < new_tokens_[at(b)];) {
            const Place first = place(b, seen_[at(b)] + i);
            const Index run = std::min(new_tokens_[at(b)] - i, block_size_ - first.slot);
            note(CacheEvent::Kind::write, b, first, run);
            i += run;
        }
}

} // namespace headroom
