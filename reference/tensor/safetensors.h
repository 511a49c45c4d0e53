// Named tensors in one file (format: https://github.com/huggingface/safetensors). Hostile files end in one clear
// std::invalid_argument.
#pragma once
#include "reference/tensor/stored_tensor.h"
#include <filesystem>
#include <map>

namespace headroom {

struct NamedTensors {
    std::map<std::string, StoredTensor> tensors;
    std::map<std::string, std::string> metadata;
};

NamedTensors read_safetensors(const std::filesystem::path& path);
NamedTensors parse_safetensors(std::span<const std::byte> file);
std::vector<std::byte> format_safetensors(const NamedTensors& contents);
void write_safetensors(const std::filesystem::path& path, const NamedTensors& contents); // whole or not at all

} // namespace headroom
