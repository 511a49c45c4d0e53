// How a cache shows itself: the view that its readers get, kept up to date without allocating.
#include "reference/kv_cache/kv_cache.h"

#include <algorithm>

namespace headroom {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }
Index blocks_for(Index tokens, Index block_size) { return (tokens + block_size - 1) / block_size; }

} // namespace

KvView KvCache::view(Index layer) const
{
    KvView kv;
    if (layers_.empty()) { // nothing was ever stored
        kv.k = dense_view(nullptr, {geometry_.sequences, geometry_.kv_heads, 0, geometry_.head_dim}, geometry_.type);
        kv.v = dense_view(nullptr, {geometry_.sequences, geometry_.kv_heads, 0, geometry_.value_dim}, geometry_.type);
    } else {
        kv.k = layers_.at(at(layer)).k();
        kv.v = layers_.at(at(layer)).v();
    }
    kv.sequences = geometry_.sequences;
    kv.length = stored_.data();
    if (has_table()) {
        kv.block_table = table_.data();
        kv.blocks_per_sequence = table_width_;
    }
    if (positions_in_cache() == 0 && std::ranges::any_of(evicted_, [](Index count) { return count > 0; })) {
        kv.evicted = evicted_.data();
        kv.kept_first = kept_first();
    }
    return kv;
}

void KvCache::reserve_table(std::span<const Index> lengths, std::size_t sequences)
{
    if (!has_table()) return;
    Index width = table_width_;
    for (const Index length : lengths) width = std::max(width, std::min(blocks_, blocks_for(length, block_size_)));
    table_.reserve(at(width) * sequences);
}

void KvCache::refresh_view() noexcept
{
    Index longest = 0;
    for (std::size_t b = 0; b < seen_.size(); ++b) {
        stored_[b] = seen_[b] + (open_ ? new_tokens_[b] : 0) - evicted_[b];
        longest = std::max(longest, stored_[b]);
    }
    if (!has_table()) return;
    table_width_ = blocks_for(longest, block_size_);
    table_.assign(at(table_width_) * seen_.size(), -1); // within what reserve_table has reserved
    for (Index b = 0; b < geometry_.sequences; ++b)
        for (Index j = 0; j < stored_[at(b)]; j += block_size_)
            table_[at(b * table_width_ + j / block_size_)] =
                static_cast<std::int32_t>(place(b, j < kept_first() ? j : j + evicted_[at(b)]).block);
}

} // namespace headroom
