// The scales of 8-bit storage: which number of a tensor [blocks, heads, tokens, channels] has which scale.
//
//     per_tensor, per_head, per_channel   static: fixed before anything is stored (calibrate)
//     per_head_and_token                  found anew for each row that is written
//
// Either way what is stored for a token does not depend on the tokens that are stored with it.
#pragma once
#include "reference/tensor/stored_view.h"

namespace headroom {

enum class Scaling : std::uint8_t { none, per_tensor, per_head, per_head_and_token, per_channel };

std::string_view name(Scaling scaling);           // "per-head-and-token"
Scaling scaling_from_name(std::string_view name); // throws std::invalid_argument listing the names

Index scale_count(Scaling scaling, const Shape& shape); // of a tensor of four axes
void attach_scales(StoredView& view, const float* scales, Scaling scaling);

// The static scales with which a sample just fits, in the order in which they are stored.
std::vector<float> calibrate(const Tensor& sample, DType type, Scaling scaling);

} // namespace headroom
