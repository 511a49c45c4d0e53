// The header of a safetensors file: JSON that names each tensor's type, shape and place in the data behind it.
#pragma once
#include "reference/tensor/dtype.h"
#include <map>
#include <optional>
#include <span>

namespace headroom {

struct TensorEntry {
    std::string name;
    DType type;
    Shape shape;
    Index from, to; // bytes of the data
};
struct SafetensorsHeader {
    std::vector<TensorEntry> tensors; // in the order of their data
    std::map<std::string, std::string> metadata;
};

// Checks everything: JSON in UTF-8 without repeated names, known types, shapes that need just the bytes they have, tensors
// that fill the data without gap or overlap. Throws std::invalid_argument.
SafetensorsHeader parse_header(std::string_view json, Index data_bytes);
std::string format_header(const SafetensorsHeader& header);

[[noreturn]] void refuse_safetensors(const std::string& why);

} // namespace headroom
