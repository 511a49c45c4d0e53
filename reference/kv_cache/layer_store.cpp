#include "reference/kv_cache/layer_store.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

namespace headroom {
namespace {

// Where the four parts lie; the scales come first, so that every part is aligned without gaps.
struct Layout {
    Shape k, v;
    Index k_scales, v_scales, k_bytes, v_bytes;
    Index size() const { return (k_scales + v_scales) * Index{sizeof(float)} + k_bytes + v_bytes; }
};

Layout layout(const KvGeometry& g, Index blocks, Index block_size)
{
    Layout all{.k = {blocks, g.kv_heads, block_size, g.head_dim},
               .v = {blocks, g.kv_heads, block_size, g.value_dim},
               .k_scales = 0,
               .v_scales = 0,
               .k_bytes = 0,
               .v_bytes = 0};
    Shape bytes = all.k;
    bytes.push_back(byte_size(g.type));
    all.k_bytes = count(bytes);
    all.k_scales = scale_count(g.k_scaling(), all.k);
    if (g.value_in_key) return all;
    bytes[3] = g.value_dim;
    all.v_bytes = count(bytes);
    all.v_scales = scale_count(g.v_scaling(), all.v);
    return all;
}

constexpr std::size_t alignment = 64; // a cache line, and what a GPU's widest loads ask for

} // namespace

LayerStore::LayerStore(const KvGeometry& g, Index layer, Index blocks, Index block_size,
                       std::pmr::memory_resource& memory)
    : memory_(&memory)
{
    const Layout parts = layout(g, blocks, block_size);
    size_ = static_cast<std::size_t>(parts.size());
    bytes_ = static_cast<std::byte*>(memory.allocate(size_, alignment));

    float* const k_scales = reinterpret_cast<float*>(bytes_);
    float* const v_scales = k_scales + parts.k_scales;
    std::byte* const k = reinterpret_cast<std::byte*>(v_scales + parts.v_scales);
    k_ = stored_rows(parts.k, g.type, g.k_scaling(), k, k_scales);
    v_ = stored_rows(parts.v, g.type, g.v_scaling(), k + parts.k_bytes, v_scales);
    if (g.value_in_key) {
        v_ = k_;
        v_.view.extent[3] = g.value_dim;
    }
    if (!g.scales.empty()) {
        const StaticScales& fixed = g.scales[static_cast<std::size_t>(layer)];
        std::ranges::copy(fixed.k, k_scales);
        std::ranges::copy(fixed.v, v_scales);
    }
}

LayerStore::LayerStore(LayerStore&& from) noexcept
    : k_(from.k_), v_(from.v_), memory_(from.memory_), bytes_(std::exchange(from.bytes_, nullptr)), size_(from.size_)
{}

LayerStore& LayerStore::operator=(LayerStore&& from) noexcept
{
    std::swap(k_, from.k_);
    std::swap(v_, from.v_);
    std::swap(memory_, from.memory_);
    std::swap(bytes_, from.bytes_);
    std::swap(size_, from.size_);
    return *this;
}

LayerStore::~LayerStore()
{
    if (bytes_) memory_->deallocate(bytes_, size_, alignment);
}

void LayerStore::copy(const LayerStore& from, Index from_block, Index from_slot, Index block, Index slot, Index rows)
{
    k_.copy(from.k_, from_block, from_slot, block, slot, rows);
    if (v_.data != k_.data) v_.copy(from.v_, from_block, from_slot, block, slot, rows);
}

Index bytes_per_token(const KvGeometry& g) { return layout(g, 2, 1).size() - layout(g, 1, 1).size(); }
Index bytes_of_static_scales(const KvGeometry& g) { return layout(g, 0, 1).size(); }

} // namespace headroom
