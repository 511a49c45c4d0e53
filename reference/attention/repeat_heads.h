// Grouped-query attention in the long way: every KV head is copied for each query head of its group, so that attention
// needs no index arithmetic. The result is the same, bit for bit; what it costs is group_size times the memory.
#pragma once
#include "reference/tensor/tensor.h"

namespace headroom {

// [B, Hkv, S, D] -> [B, Hkv * group_size, S, D]; heads 0 1 become 0 0 1 1. Query head h finds KV head h / group_size.
Tensor repeat_interleave(const Tensor& kv, Index group_size);

// What goes wrong in practice, to be shown, never to be used.
namespace mistakes {

// Tiling: heads 0 1 become 0 1 0 1. All shapes fit, and query head h reads KV head h % Hkv: another head's keys.
Tensor repeat(const Tensor& kv, Index group_size);

} // namespace mistakes
} // namespace headroom
