#include "reference/tensor/files.h"

#include "reference/tensor/input_file.h"
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

namespace headroom {
namespace {

namespace fs = std::filesystem;

std::string reason() { return errno ? std::strerror(errno) : "unknown reason"; }

[[noreturn]] void fail(std::string_view verb, const fs::path& path, const std::string& why)
{
    throw std::invalid_argument("cannot " + std::string(verb) + " " + path.string() + ": " + why);
}

// A file that vanishes unless it is kept.
class UnfinishedFile {
public:
    explicit UnfinishedFile(const fs::path& target) : path_(target.string() + ".unfinished-" + std::to_string(getpid()))
    {}
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;
    ~UnfinishedFile()
    {
        std::error_code ignored;
        if (!kept_) fs::remove(path_, ignored);
    }
    const fs::path& path() const { return path_; }
    std::error_code keep_as(const fs::path& target)
    {
        std::error_code error;
        fs::rename(path_, target, error);
        kept_ = !error;
        return error;
    }

private:
    fs::path path_;
    bool kept_ = false;
};

void write_bytes(const fs::path& to, std::span<const std::byte> bytes, const fs::path& target)
{
    errno = 0;
    std::ofstream file(to, std::ios::binary | std::ios::trunc);
    if (!file) fail("write", target, reason());
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) fail("write", target, reason());
}

} // namespace

InputFile::InputFile(const fs::path& path) : path_(path)
{
    std::error_code error;
    if (fs::is_directory(path, error)) fail("read", path, "it is a folder");
    errno = 0;
    file_.open(path, std::ios::binary | std::ios::ate);
    if (!file_) fail("read", path, reason());
    const std::streamoff size = file_.tellg();
    if (size < 0) fail("read", path, "not a regular file");
    size_ = static_cast<std::size_t>(size);
    file_.seekg(0);
}

void InputFile::read(std::span<std::byte> next)
{
    errno = 0;
    if (!file_.read(reinterpret_cast<char*>(next.data()), static_cast<std::streamsize>(next.size())))
        fail("read", path_, errno ? reason() : "it became shorter while it was read");
}

std::vector<std::byte> read_file(const fs::path& path)
{
    InputFile file(path);
    std::vector<std::byte> bytes;
    try {
        bytes.resize(file.size());
    } catch (const std::exception&) {
        fail("read", path, "its " + std::to_string(file.size()) + " bytes do not fit into memory");
    }
    file.read(bytes);
    return bytes;
}

void write_file(const fs::path& path, std::span<const std::byte> bytes)
{
    std::error_code error;
    fs::path target = path;
    if (const fs::path real = fs::canonical(path, error); !error) target = real; // through links, to what is there
    if (fs::is_directory(target, error)) fail("write", path, "it is a folder");
    if (fs::exists(target, error) && !fs::is_regular_file(target, error)) {
        write_bytes(target, bytes, path); // a device or a pipe, which nothing can take the place of
        return;
    }
    UnfinishedFile unfinished(target);
    write_bytes(unfinished.path(), bytes, path);
    if (const std::error_code failure = unfinished.keep_as(target)) fail("write", path, failure.message());
}

void refuse_overwriting(const fs::path& read, const fs::path& written)
{
    std::error_code one_is_absent;
    if (fs::equivalent(read, written, one_is_absent))
        throw std::invalid_argument(written.string() + " would be written over the file that is read");
}

void write_file(const fs::path& path, const std::string& text) { write_file(path, std::as_bytes(std::span(text))); }

} // namespace headroom
