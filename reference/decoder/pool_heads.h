// From many KV heads to few (Ainslie et al. 2023, "GQA"): each new K and V head is the mean of the heads it replaces.
//
//     k_proj [Hkv D, E]: the rows of new head g = mean over the rows of heads g r ... g r + r - 1, r = Hkv / kv_heads
#pragma once
#include "reference/decoder/decoder.h"

namespace headroom {

Decoder pool_kv_heads(const Decoder& model,
                      Index kv_heads); // kv_heads divides the model's; throws std::invalid_argument

} // namespace headroom
