// Positions in the cache (Xiao et al. 2023, "Efficient Streaming Language Models with Attention Sinks", section 3.2): a key
// stands where it lies in the cache, not where its token stood in the text. What a text has lost leaves no gap, so the
// distances stay within sinks + window however long it gets. A key's slot changes when older ones are evicted: keys are
// kept as they are and turned by RoPE whenever they are read.
//
//     [ sinks | window ]      key j stands at j, query i of n at stored - n + i
#pragma once
#include "reference/attention/rope.h"
#include "reference/contract/kv_view.h"

namespace headroom {

// [B, L] for rope(); query i >= new_tokens[b] is padding and stands at 0.
std::vector<Index> slots_of_queries(const KvView& kv, std::span<const Index> new_tokens, Index longest);

Tensor keys_turned_by_slot(const KvView& kv, const RopeTable& table, RopeLayout layout); // as kv.k lies, in double

} // namespace headroom
