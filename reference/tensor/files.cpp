#include "reference/tensor/files.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

namespace headroom {
namespace {

std::string reason() { return errno ? std::strerror(errno) : "unknown reason"; }

} // namespace

std::vector<std::byte> read_file(const std::filesystem::path& path)
{
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        throw std::invalid_argument("cannot read " + path.string() + ": it is a folder");
    errno = 0;
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) throw std::invalid_argument("cannot read " + path.string() + ": " + reason());
    const std::streamoff size = file.tellg();
    if (size < 0) throw std::invalid_argument("cannot read " + path.string() + ": not a regular file");
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    file.seekg(0);
    if (!file.read(reinterpret_cast<char*>(bytes.data()), size))
        throw std::invalid_argument("cannot read " + path.string() + ": " + reason());
    return bytes;
}

void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes)
{
    const std::filesystem::path unfinished = path.string() + ".unfinished-" + std::to_string(getpid());
    const auto fail = [&](const std::string& why) {
        std::error_code ignored;
        std::filesystem::remove(unfinished, ignored);
        throw std::invalid_argument("cannot write " + path.string() + ": " + why);
    };
    errno = 0;
    std::ofstream file(unfinished, std::ios::binary | std::ios::trunc);
    if (!file) fail(reason());
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) fail(reason());
    std::error_code error;
    std::filesystem::rename(unfinished, path, error);
    if (error) fail(error.message());
}

void write_file(const std::filesystem::path& path, const std::string& text)
{
    write_file(path, std::as_bytes(std::span(text)));
}

} // namespace headroom
