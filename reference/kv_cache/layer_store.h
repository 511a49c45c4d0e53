// The keys and values of one layer in one allocation: scales of K, scales of V, K, V. Never written bytes are not touched.
#pragma once
#include "reference/kv_cache/geometry.h"
#include "reference/tensor/stored_rows.h"

namespace headroom {

class LayerStore { // [blocks, Hkv, block_size, D] and [blocks, Hkv, block_size, Dv]
public:
    LayerStore(const KvGeometry& geometry, Index layer, Index blocks, Index block_size,
               std::pmr::memory_resource& memory);
    LayerStore(LayerStore&& from) noexcept;
    LayerStore& operator=(LayerStore&& from) noexcept;
    ~LayerStore();

    const StoredView& k() const { return k_.view; }
    const StoredView& v() const { return v_.view; }
    void write_k(Index block, Index head, Index slot, std::span<const double> row) { k_.write(block, head, slot, row); }
    void write_v(Index block, Index head, Index slot, std::span<const double> row) { v_.write(block, head, slot, row); }
    void copy(const LayerStore& from, Index from_block, Index from_slot, Index block, Index slot, Index rows);

private:
    StoredRows k_, v_;
    std::pmr::memory_resource* memory_;
    std::byte* bytes_ = nullptr;
    std::size_t size_ = 0;
};

// What a layer takes: for each token of one sequence, and once for all of them (static scales).
Index bytes_per_token(const KvGeometry& geometry);
Index bytes_of_static_scales(const KvGeometry& geometry);

} // namespace headroom
