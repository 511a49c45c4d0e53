// Whole files: read into memory, or written whole or not at all.
#pragma once
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace headroom {

// Both throw std::invalid_argument with the path and the reason.
std::vector<std::byte> read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes); // via a temporary, then renamed
void write_file(const std::filesystem::path& path, const std::string& text);

// Throws where both name one file: what was read must not be lost.
void refuse_overwriting(const std::filesystem::path& read, const std::filesystem::path& written);

} // namespace headroom
