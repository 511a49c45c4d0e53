#include "reference/tensor/safetensors.h"

#include "reference/tensor/files.h"
#include "reference/tensor/input_file.h"
#include "reference/tensor/safetensors_header.h"
#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

namespace headroom {
namespace {

constexpr std::uint64_t largest_header = 100'000'000; // the format's own limit

// `next` fills what it is given with the file's next bytes: each tensor's go where they stay.
template <class Next> NamedTensors read_contents(std::size_t size, Next next)
{
    std::uint64_t header_size = 0;
    if (size < sizeof header_size) refuse_safetensors("it is shorter than 8 bytes");
    next(std::as_writable_bytes(std::span(&header_size, 1)));
    const std::size_t rest = size - sizeof header_size;
    if (header_size > largest_header || header_size > rest)
        refuse_safetensors("its header claims " + std::to_string(header_size) + " bytes of a file of " +
                           std::to_string(size));
    std::string json(header_size, ' ');
    next(std::as_writable_bytes(std::span(json)));
    SafetensorsHeader header = parse_header(json, static_cast<Index>(rest - header_size));
    NamedTensors contents;
    contents.metadata = std::move(header.metadata);
    for (const TensorEntry& entry : header.tensors) { // in the order of their data, without gaps
        StoredTensor tensor(entry.shape, entry.type);
        next(tensor.bytes());
        contents.tensors.emplace(entry.name, std::move(tensor));
    }
    return contents;
}

} // namespace

NamedTensors parse_safetensors(std::span<const std::byte> file)
{
    return read_contents(file.size(), [rest = file](std::span<std::byte> to) mutable {
        std::ranges::copy(rest.first(to.size()), to.begin());
        rest = rest.subspan(to.size());
    });
}

std::vector<std::byte> format_safetensors(const NamedTensors& contents)
{
    SafetensorsHeader header;
    header.metadata = contents.metadata;
    Index offset = 0;
    for (const auto& [name, tensor] : contents.tensors) {
        const auto end = offset + static_cast<Index>(tensor.bytes().size());
        header.tensors.push_back({name, tensor.type(), tensor.shape(), offset, end});
        offset = end;
    }
    std::string text = format_header(header);
    text.resize((text.size() + 7) / 8 * 8, ' '); // data begins at a multiple of 8

    const std::uint64_t header_size = text.size();
    std::vector<std::byte> file(sizeof header_size + text.size() + static_cast<std::size_t>(offset));
    auto at = std::ranges::copy(std::as_bytes(std::span(&header_size, 1)), file.begin()).out;
    at = std::ranges::copy(std::as_bytes(std::span(text)), at).out;
    for (const auto& [name, tensor] : contents.tensors) at = std::ranges::copy(tensor.bytes(), at).out;
    return file;
}

NamedTensors read_safetensors(const std::filesystem::path& path)
{
    InputFile file(path);
    try {
        return read_contents(file.size(), [&](std::span<std::byte> to) { file.read(to); });
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(path.string() + ": " + error.what());
    } catch (const std::bad_alloc&) {
        throw std::invalid_argument("cannot read " + path.string() + ": its " + std::to_string(file.size()) +
                                    " bytes do not fit into memory");
    }
}

void write_safetensors(const std::filesystem::path& path, const NamedTensors& contents)
{
    write_file(path, format_safetensors(contents));
}

} // namespace headroom
