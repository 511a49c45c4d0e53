// Where the keys and values of a batch lie, whatever cache holds them: blocks of rows, and for each sequence the list
// of its blocks. The reference, the parallel path and the kernels all read through this; nothing is copied.
//
//     key j of sequence b, head hkv  =  k[ block(b, j / block_size), hkv, j % block_size, : ]
//     block(b, n)                    =  block_table ? block_table[b * blocks_per_sequence + n] : b
//     position of key j              =  j < kept_first ? j : j + (evicted ? evicted[b] : 0)
//     tokens seen                    =  length[b] + (evicted ? evicted[b] : 0)
//
//     tensors, concat, preallocated, growing   one block per sequence, no table
//     paged                                    a table of blocks of 16
//     ring with sinks                          a table of blocks of 1, in order of position
//     latent (MLA, absorbed)                   Hkv = 1, and v is the first Dv columns of k
#pragma once
#include "reference/tensor/stored_tensor.h"
#include <type_traits>

namespace headroom {

struct KvView {                     // trivially copyable: kernels receive it by value
    StoredView k;                   // [blocks, Hkv, block_size, D]
    StoredView v;                   // [blocks, Hkv, block_size, Dv]
    Index sequences = 0;            // B
    const Index* length = nullptr;  // [B] keys stored
    const Index* evicted = nullptr; // [B] positions given up behind the first `kept_first`
    Index kept_first = 0;
    const std::int32_t* block_table = nullptr; // [B, blocks_per_sequence]
    Index blocks_per_sequence = 0;
};
static_assert(std::is_trivially_copyable_v<KvView>);

struct Place {
    Index block, slot;
};
Place place(const KvView& kv, Index b, Index j);
Index position(const KvView& kv, Index b, Index j);
Index tokens_seen(const KvView& kv, Index b); // the next token's position

} // namespace headroom
