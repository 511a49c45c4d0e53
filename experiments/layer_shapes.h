// The tensors of one decoder layer, by name, axes and shape, as a run sees them.
#pragma once
#include "reference/decoder/decoder.h"

namespace headroom {

struct NamedShape {
    std::string name, axes, meaning;
    Shape shape;
};
std::vector<NamedShape> layer_shapes(const Decoder& model, const std::vector<int>& tokens, const Backend& backend);

} // namespace headroom
