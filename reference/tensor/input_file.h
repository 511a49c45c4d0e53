// A file that is read from its beginning in pieces, for who puts them where they belong at once.
#pragma once
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <span>

namespace headroom {

class InputFile {
public:
    explicit InputFile(const std::filesystem::path& path); // throws std::invalid_argument with the path and the reason
    std::size_t size() const { return size_; }
    void read(std::span<std::byte> next); // likewise

private:
    std::filesystem::path path_;
    std::ifstream file_;
    std::size_t size_ = 0;
};

} // namespace headroom
