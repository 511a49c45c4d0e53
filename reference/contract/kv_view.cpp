#include "reference/contract/kv_view.h"

namespace headroom {

Place place(const KvView& kv, Index b, Index j)
{
    const Index block_size = kv.k.extent[2];
    const Index n = j / block_size;
    return {kv.block_table ? kv.block_table[b * kv.blocks_per_sequence + n] : b, j % block_size};
}

Index position(const KvView& kv, Index b, Index j) { return j < kv.kept_first || !kv.evicted ? j : j + kv.evicted[b]; }

Index tokens_seen(const KvView& kv, Index b) { return kv.length[b] + (kv.evicted ? kv.evicted[b] : 0); }

} // namespace headroom
