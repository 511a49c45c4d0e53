#include "reference/kv_cache/kv_cache.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace headroom {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }
Index longest(std::span<const Index> lengths) { return lengths.empty() ? 0 : *std::ranges::max_element(lengths); }

} // namespace

KvCache::KvCache(KvGeometry g, Index block_size, std::pmr::memory_resource* memory)
    : geometry_(checked(std::move(g))), memory_(memory), block_size_(block_size), seen_(at(geometry_.sequences)),
      new_tokens_(seen_), after_(seen_), evicted_(seen_), stored_(seen_), written_(at(geometry_.layers))
{}

Index KvCache::longest_append() const { return std::numeric_limits<Index>::max(); }

void KvCache::require_no_step() const
{
    if (open_) throw std::logic_error("cache: a step is open; end or abandon it first");
}

std::vector<Index> KvCache::identity() const
{
    std::vector<Index> rows(seen_.size());
    std::iota(rows.begin(), rows.end(), Index{0});
    return rows;
}

// Whatever a change has counted as copied is forgotten again where it fails.
template <class Change> void KvCache::all_or_nothing(Change change)
{
    const Index copied_before = std::exchange(copied_rows_, 0);
    try {
        change();
    } catch (...) {
        copied_rows_ = copied_before;
        throw;
    }
}

void KvCache::begin_step(std::span<const Index> new_tokens)
{
    require_no_step();
    if (new_tokens.size() != seen_.size())
        throw std::invalid_argument("cache: new_tokens has " + std::to_string(new_tokens.size()) +
                                    " entries, the cache has " + std::to_string(seen_.size()) + " sequences");
    for (std::size_t b = 0; b < seen_.size(); ++b) {
        const Index n = new_tokens[b];
        if (n < 0 || n > longest_append() || __builtin_add_overflow(seen_[b], n, &after_[b]))
            throw std::invalid_argument("cache: a step takes 0 … " + std::to_string(longest_append()) +
                                        " tokens of a sequence, not " + std::to_string(n));
    }
    reserve_table(after_, seen_.size());
    all_or_nothing([&] { make_room(after_); });
    std::ranges::copy(new_tokens, new_tokens_.begin());
    std::fill(written_.begin(), written_.end(), false);
    open_ = true;
    refresh_view();
}

void KvCache::check_rows(Index layer, const Tensor& k, const Tensor& v, Index tokens) const
{
    if (layer < 0 || layer >= geometry_.layers)
        throw std::invalid_argument("cache: there is no layer " + std::to_string(layer));
    const auto check = [&](const Tensor& t, const char* name, Index width) {
        const bool fits = t.shape().size() == 4 && t.extent(0) == geometry_.sequences &&
                          t.extent(1) == geometry_.kv_heads && t.extent(2) >= tokens && t.extent(3) == width;
        if (!fits)
            throw std::invalid_argument(std::string("cache: ") + name + " has shape " + to_text(t.shape()) +
                                        ", wanted is [sequences, kv_heads, new tokens, width] = " +
                                        to_text({geometry_.sequences, geometry_.kv_heads, tokens, width}));
    };
    check(k, "k", geometry_.head_dim);
    if (!geometry_.value_in_key) check(v, "v", geometry_.value_dim);
}

void KvCache::write(Index layer, const Tensor& k, const Tensor& v)
{
    if (!open_) throw std::logic_error("cache: write outside of a step");
    check_rows(layer, k, v, longest(new_tokens_));
    write_rows(layer, k, v, 0);
}

void KvCache::write_rows(Index layer, const Tensor& k, const Tensor& v, Index first) noexcept
{
    LayerStore* const store = layers_.empty() ? nullptr : &layers_[at(layer)];
    for (Index b = 0; b < geometry_.sequences; ++b)
        for (Index i = 0; i < new_tokens_[at(b)]; ++i) {
            const Place to = place(b, seen_[at(b)] + i);
            for (Index head = 0; head < geometry_.kv_heads; ++head) {
                store->write_k(to.block, head, to.slot, k.row(b, head, first + i));
                if (!geometry_.value_in_key) store->write_v(to.block, head, to.slot, v.row(b, head, first + i));
            }
        }
    written_[at(layer)] = true;
}

void KvCache::end_step()
{
    if (!open_) throw std::logic_error("cache: no step is open");
    const auto missing = std::ranges::find(written_, false);
    if (missing != written_.end() && longest(new_tokens_) > 0)
        throw std::logic_error("cache: layer " + std::to_string(missing - written_.begin()) +
                               " was not written in this step");
    note_writes();
    for (std::size_t b = 0; b < seen_.size(); ++b) seen_[b] += new_tokens_[b];
    open_ = false;
    settle();
    refresh_view();
}

void KvCache::abandon_step() noexcept
{
    if (!open_) return;
    open_ = false;
    settle();
    refresh_view();
}

void KvCache::append(const Tensor& k, const Tensor& v)
{
    require_no_step();
    if (geometry_.layers != 1) throw std::logic_error("cache: append is for one layer; use begin_step and write");
    check_rows(0, k, v, 0);
    const Index tokens = k.extent(2);
    check_rows(0, k, v, tokens);

    // In pieces where a step is limited; what could fail for want of memory does so before the first of them.
    std::vector<Index> piece(seen_.size());
    for (std::size_t b = 0; b < seen_.size(); ++b) after_[b] = seen_[b] + tokens;
    reserve_table(after_, seen_.size());
    Index first = 0;
    do {
        std::ranges::fill(piece, std::min(longest_append(), tokens - first));
        begin_step(piece);
        write_rows(0, k, v, first);
        end_step();
        first += piece.empty() ? tokens : piece.front();
    } while (first < tokens);
}

void KvCache::truncate(std::span<const Index> lengths)
{
    require_no_step();
    if (lengths.size() != seen_.size())
        throw std::invalid_argument("cache: " + std::to_string(lengths.size()) + " lengths for " +
                                    std::to_string(seen_.size()) + " sequences");
    for (std::size_t b = 0; b < seen_.size(); ++b) {
        if (lengths[b] < 0) throw std::invalid_argument("cache: truncate to " + std::to_string(lengths[b]) + " tokens");
        after_[b] = std::min(seen_[b], lengths[b]);
    }
    all_or_nothing([&] { shrink(after_); });
    std::ranges::copy(after_, seen_.begin());
    settle();
    refresh_view();
}

void KvCache::select(std::span<const Index> rows)
{
    require_no_step();
    for (const Index row : rows)
        if (row < 0 || row >= geometry_.sequences)
            throw std::invalid_argument("cache: select row " + std::to_string(row) + " of " +
                                        std::to_string(geometry_.sequences));
    const auto moved = [&](const std::vector<Index>& of) {
        std::vector<Index> there;
        for (const Index row : rows) there.push_back(of[at(row)]);
        return there;
    };
    std::vector<Index> seen = moved(seen_), gone = moved(evicted_), stored = moved(stored_), after(seen), none(seen);
    reserve_table(seen, rows.size());
    all_or_nothing([&] { move_rows(rows, seen); });

    geometry_.sequences = static_cast<Index>(rows.size());
    seen_.swap(seen);
    evicted_.swap(gone);
    stored_.swap(stored);
    after_.swap(after);
    new_tokens_.swap(none);
    settle();
    refresh_view();
}

void KvCache::reset()
{
    abandon_step();
    truncate(std::vector<Index>(seen_.size(), 0));
}

KvCounters KvCache::counters() const
{
    const Index row = geometry_.layers * bytes_per_token(geometry_);
    const Index rows = live_rows();
    const Index fixed = rows > 0 ? geometry_.layers * bytes_of_static_scales(geometry_) : 0;
    return {rows * row + fixed, memory_.reserved, memory_.peak, copied_rows_ * row, memory_.allocations};
}

Index KvCache::live_rows() const
{
    Index rows = 0;
    for (std::size_t b = 0; b < seen_.size(); ++b) rows += seen_[b] - evicted_[b];
    return rows;
}

std::vector<CacheEvent> KvCache::take_events() { return std::exchange(events_, {}); }

} // namespace headroom
