// Keys and values in several copies that are used in turn and together do not fit into the last-level cache, so that each
// launch reads them from memory, as a model does with its many layers.
#pragma once
#include "reference/contract/kv_view.h"
#include <memory>
#include <vector>

namespace headroom {

class RotatingKv {
public:
    RotatingKv(const Shape& shape, DType type, Index copies); // [B, Hkv, S, D]

    // How many copies of so many bytes are four times the cache, for a part of a little more than the cache would still be
    // found in it; at least two.
    static Index copies_beyond(Index cache_bytes, Index bytes_of_a_copy);

    Index copies() const { return static_cast<Index>(views_.size()); }
    Index bytes() const { return 2 * bytes_; } // of one copy of keys and values
    const KvView& view(Index n) const { return views_[static_cast<std::size_t>(n)]; }
    std::vector<std::span<const std::byte>> pieces(Index copy) const;

private:
    struct Free {
        void operator()(std::byte* memory) const;
    };
    Index bytes_; // of keys, and as many of values
    std::vector<std::unique_ptr<std::byte[], Free>> memory_;
    std::vector<KvView> views_;
};

} // namespace headroom
