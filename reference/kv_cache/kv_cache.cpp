#include "reference/kv_cache/kv_cache.h"
#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>
namespace headroom {
static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
KvCache::KvCache(KvGeometry g, Index block_size)
    : geometry_(g), block_size_(block_size), seen_(at(g.sequences)), new_tokens_(at(g.sequences)),
      evicted_(at(g.sequences)), stored_(at(g.sequences))
{}
Index KvCache::longest_append() const { return std::numeric_limits<Index>::max(); }
void KvCache::begin_step(std::span<const Index> n)
{
    if (open_) throw std::logic_error("a step is open");
    if (n.size() != seen_.size()) throw std::invalid_argument("new_tokens");
    std::vector<Index> after(seen_);
    for (std::size_t b = 0; b < n.size(); ++b) {
        if (n[b] < 0 || n[b] > longest_append())
            throw std::invalid_argument("cache takes at most " + std::to_string(longest_append()) + " tokens a step");
        after[b] += n[b];
    }
    make_room(after);
    new_tokens_.assign(n.begin(), n.end());
    open_ = true;
    refresh_view();
}
void KvCache::refresh_view()
{
    Index longest = 0;
    for (std::size_t b = 0; b < seen_.size(); ++b) {
        stored_[b] = seen_[b] + (open_ ? new_tokens_[b] : 0) - evicted_[b];
        longest = std::max(longest, stored_[b]);
    }
    if (!has_table()) return;
    table_width_ = (longest + block_size_ - 1) / block_size_;
    table_.assign(at(table_width_) * seen_.size(), -1);
    for (Index b = 0; b < Index(seen_.size()); ++b)
        for (Index j = 0; j < stored_[at(b)]; j += block_size_)
            table_[at(b * table_width_ + j / block_size_)] =
                static_cast<std::int32_t>(place(b, j < kept_first() ? j : j + evicted_[at(b)]).block);
}
void KvCache::write(Index layer, const Tensor& k, const Tensor& v)
{
    for (Index b = 0; b < k.extent(0); ++b)
        for (Index i = 0; i < new_tokens_[at(b)]; ++i) {
            const Place to = place(b, seen_[at(b)] + i);
            for (Index h = 0; h < k.extent(1); ++h) {
                k_[at(layer)].write_row(to.block, h, to.slot, k.row(b, h, i));
                v_[at(layer)].write_row(to.block, h, to.slot, v.row(b, h, i));
            }
        }
}
KvView KvCache::view(Index layer) const
{
    KvView kv;
    kv.k = k_[at(layer)].view();
    kv.v = v_[at(layer)].view();
    kv.sequences = geometry_.sequences;
    kv.length = stored_.data();
    if (has_table()) {
        kv.block_table = table_.data();
        kv.blocks_per_sequence = table_width_;
    }
    if (std::any_of(evicted_.begin(), evicted_.end(), [](Index e) { return e > 0; })) {
        kv.evicted = evicted_.data();
        kv.kept_first = kept_first();
    }
    return kv;
}
void KvCache::end_step()
{
    for (std::size_t b = 0; b < seen_.size(); ++b) seen_[b] += new_tokens_[b];
    open_ = false;
    refresh_view();
}
void KvCache::abandon_step()
{
    open_ = false;
    refresh_view();
}
void KvCache::append(const Tensor& k, const Tensor& v)
{
    const std::vector<Index> n(at(k.extent(0)), k.extent(2));
    begin_step(n);
    write(0, k, v);
    end_step();
}
void KvCache::allocate(Index blocks, Index block_size)
{
    for (Index l = 0; l < geometry_.layers; ++l) {
        k_.emplace_back(Shape{blocks, geometry_.kv_heads, block_size, geometry_.head_dim}, geometry_.type,
                        geometry_.scaling, &meter_);
        v_.emplace_back(Shape{blocks, geometry_.kv_heads, block_size, geometry_.value_dim}, geometry_.type,
                        geometry_.scaling, &meter_);
    }
    blocks_ = blocks;
    block_size_ = block_size;
}
void KvCache::reallocate(Index blocks, Index block_size)
{
    if (k_.empty()) {
        allocate(blocks, block_size);
        return;
    }
    for (Index l = 0; l < geometry_.layers; ++l)
        for (auto* part : {&k_[at(l)], &v_[at(l)]}) {
            StoredTensor bigger({blocks, geometry_.kv_heads, block_size, part->shape()[3]}, geometry_.type,
                                geometry_.scaling, &meter_);
            for (Index b = 0; b < geometry_.sequences; ++b)
                for (Index j = 0; j < seen_[at(b)]; ++j) bigger.copy_row(*part, b, j, b, j);
            *part = std::move(bigger);
        }
    blocks_ = blocks;
    block_size_ = block_size;
}
void KvCache::copy_row(Place from, Place to)
{
    for (auto* list : {&k_, &v_})
        for (auto& part : *list) part.copy_row(part, from.block, from.slot, to.block, to.slot);
}
Index KvCache::live_rows() const
{
    Index n = 0;
    for (std::size_t b = 0; b < seen_.size(); ++b) n += seen_[b] - evicted_[b];
    return n;
}
KvCounters KvCache::counters() const
{
    const Index row = geometry_.layers * geometry_.kv_heads *
                      ((geometry_.head_dim + geometry_.value_dim) * byte_size(geometry_.type) +
                       (geometry_.scaling == Scaling::per_head_and_token ? 8 : 0));
    return {live_rows() * row, meter_.reserved, meter_.peak, meter_.copied, meter_.allocations};
}
std::vector<CacheEvent> KvCache::take_events() { return std::exchange(events_, {}); }
} // namespace headroom
