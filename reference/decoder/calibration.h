// Static scales of 8-bit storage, from the keys and values that a model makes of a text: fixed before anything is stored,
// so that what becomes of a token does not depend on the tokens that are stored with it. What is larger than in that text
// is stored as the largest number there is.
#pragma once
#include "reference/decoder/decoder.h"

namespace headroom {

// [layers]; empty where the scaling needs none.
std::vector<StaticScales> calibrated_scales(const Decoder& model, std::span<const int> tokens, DType type,
                                            Scaling scaling, const Backend& backend);

} // namespace headroom
