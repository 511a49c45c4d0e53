// Where a layer leaves the keys and values of a pass's tokens, and what attention then sees of all tokens so far.
#pragma once
#include "reference/kv_cache/kv_cache.h"

namespace headroom {

class KvMemory {
public:
    virtual ~KvMemory() = default;
    virtual void begin(std::span<const Index> new_tokens) = 0;              // [B]; throws, and nothing has changed
    virtual KvView keep(Index layer, const Tensor& k, const Tensor& v) = 0; // [B, Hkv, L, D]
    virtual void end() = 0;
    virtual void abandon() = 0;                            // the pass failed: forget its tokens
    virtual Index positions_in_cache() const { return 0; } // as KvCache has it; k is then kept as it is, not turned
};

// With a cache: the new tokens join the earlier ones.
class CachedKv : public KvMemory {
public:
    explicit CachedKv(KvCache& cache) : cache_(cache) {}
    void begin(std::span<const Index> new_tokens) override { cache_.begin_step(new_tokens); }
    KvView keep(Index layer, const Tensor& k, const Tensor& v) override
    {
        cache_.write(layer, k, v);
        return cache_.view(layer);
    }
    void end() override { cache_.end_step(); }
    void abandon() override { cache_.abandon_step(); }
    Index positions_in_cache() const override { return cache_.positions_in_cache(); }

private:
    KvCache& cache_;
};

// Without a cache: the keys and values of this pass alone, packed behind one another, in the type in which a cache
// would hold them (so that both give the same bits). A layer's are forgotten when the next layer comes.
class PackedKv : public KvMemory {
public:
    explicit PackedKv(KvGeometry geometry, bool keep_all_layers = false);
    void begin(std::span<const Index> new_tokens) override;
    KvView keep(Index layer, const Tensor& k, const Tensor& v) override;
    void end() override {}
    void abandon() override {}
    Index reserved_bytes() const; // of what is kept, scales included

private:
    KvGeometry geometry_;
    bool keep_all_layers_;
    std::vector<Index> lengths_;      // [B]
    std::vector<std::int32_t> table_; // [B, longest]: one row is one block
    std::vector<StoredTensor> kept_;  // k, v, k, v, ... each [T, Hkv, 1, D]
};

} // namespace headroom
