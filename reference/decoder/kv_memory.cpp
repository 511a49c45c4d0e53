#include "reference/decoder/kv_memory.h"

#include <algorithm>
#include <utility>

namespace headroom {

PackedKv::PackedKv(KvGeometry geometry, bool keep_all_layers)
    : geometry_(checked(std::move(geometry))), keep_all_layers_(keep_all_layers)
{}

void PackedKv::begin(std::span<const Index> new_tokens)
{
    kept_.clear();
    lengths_.assign(new_tokens.begin(), new_tokens.end());
    const Index longest = lengths_.empty() ? 0 : std::ranges::max(lengths_);
    table_.assign(lengths_.size() * static_cast<std::size_t>(longest), -1);
    std::int32_t t = 0;
    for (std::size_t b = 0; b < lengths_.size(); ++b)
        for (Index j = 0; j < lengths_[b]; ++j)
            table_[b * static_cast<std::size_t>(longest) + static_cast<std::size_t>(j)] = t++;
}

KvView PackedKv::keep(Index, const Tensor& k, const Tensor& v)
{
    Index total = 0;
    for (const Index n : lengths_) total += n;
    if (!keep_all_layers_) kept_.clear();
    kept_.emplace_back(Shape{total, geometry_.kv_heads, 1, geometry_.head_dim}, geometry_.type, geometry_.k_scaling());
    kept_.emplace_back(Shape{total, geometry_.kv_heads, 1, geometry_.value_dim}, geometry_.type, geometry_.v_scaling());
    StoredTensor &all_k = *(kept_.end() - 2), &all_v = kept_.back();

    Index t = 0;
    for (Index b = 0; b < k.extent(0); ++b)
        for (Index i = 0; i < lengths_[static_cast<std::size_t>(b)]; ++i, ++t)
            for (Index h = 0; h < geometry_.kv_heads; ++h) {
                all_k.write_row(t, h, 0, k.row(b, h, i));
                all_v.write_row(t, h, 0, v.row(b, h, i));
            }
    KvView kv;
    kv.k = all_k.view();
    kv.v = all_v.view();
    kv.sequences = static_cast<Index>(lengths_.size());
    kv.length = lengths_.data();
    kv.block_table = table_.data();
    kv.blocks_per_sequence = kv.sequences ? static_cast<Index>(table_.size()) / kv.sequences : 0;
    return kv;
}

Index PackedKv::reserved_bytes() const
{
    Index bytes = 0;
    for (const StoredTensor& each : kept_)
        bytes += static_cast<Index>(each.bytes().size() + each.scales().size() * sizeof(float));
    return bytes;
}

} // namespace headroom
