#include "tests/support/onnx_case.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace headroom {
namespace {

using Json = nlohmann::json;

double number(const Json& value)
{
    if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
    if (value.is_string()) return std::stod(value.get<std::string>()); // "-inf"
    return value.get<double>();
}

std::map<std::string, OnnxTensor> tensors(const Json& list)
{
    std::map<std::string, OnnxTensor> named;
    for (const Json& item : list) {
        std::vector<double> values;
        for (const Json& value : item.at("data")) values.push_back(number(value));
        named.emplace(item.at("name"), OnnxTensor{item.at("dtype"), Tensor(item.at("dims").get<Shape>(), values)});
    }
    return named;
}

} // namespace

double OnnxCase::number(const std::string& attribute, double otherwise) const
{
    const auto found = numbers.find(attribute);
    return found == numbers.end() ? otherwise : found->second;
}

OnnxCase read_onnx_case(const std::filesystem::path& path)
{
    std::ifstream file(path);
    const Json json = Json::parse(file);
    OnnxCase read{.name = json.at("case"),
                  .op = json.at("op"),
                  .numbers = {},
                  .texts = {},
                  .inputs = tensors(json.at("inputs")),
                  .outputs = tensors(json.at("outputs"))};
    for (const auto& [attribute, value] : json.at("attrs").items())
        if (value.is_string())
            read.texts.emplace(attribute, value);
        else
            read.numbers.emplace(attribute, value);
    return read;
}

} // namespace headroom
