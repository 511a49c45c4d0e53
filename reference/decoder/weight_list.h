// The one place that knows a layer's matrices by name and shape: checkpoint readers and writers loop over it.
#pragma once
#include "reference/decoder/decoder.h"

namespace headroom {

struct LayerWeight {
    std::string_view name; // as in Hugging Face's Llama, behind "model.layers.N."
    Shape (*shape)(const DecoderConfig& config);
    StoredTensor& (*in)(LayerWeights& layer);
    const StoredTensor& (*of)(const LayerWeights& layer);
};
std::span<const LayerWeight> layer_weights(); // in the order of a llama2.c file of version 0

} // namespace headroom
