// A node test of the ONNX standard, as JSON: attributes, inputs and expected outputs of one operator.
#pragma once
#include "reference/tensor/tensor.h"
#include <filesystem>
#include <map>

namespace headroom {

struct OnnxTensor {
    std::string dtype; // "float32", "float16", "bool", "int64"
    Tensor values;     // booleans as 0 and 1; 16-bit floats are exact
};
struct OnnxCase {
    std::string name, op;
    std::map<std::string, double> numbers; // attributes
    std::map<std::string, std::string> texts;
    std::map<std::string, OnnxTensor> inputs, outputs;

    double number(const std::string& attribute, double otherwise) const;
    bool has(const std::string& input) const { return inputs.contains(input); }
    const Tensor& input(const std::string& which) const { return inputs.at(which).values; }
};
OnnxCase read_onnx_case(const std::filesystem::path& path);

} // namespace headroom
