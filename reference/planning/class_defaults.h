// What a configuration class assumes where a config.json is silent.
#pragma once
#include "reference/tensor/tensor.h"
#include <string_view>

namespace headroom {

struct ClassDefaults {
    std::string_view family;
    Index hidden_size, heads, kv_heads, layers, head_dim, window;
};
const ClassDefaults* class_defaults(std::string_view family); // null: not known

} // namespace headroom
