#include "reference/tensor/safetensors.h"

#include "reference/tensor/files.h"
#include "reference/tensor/safetensors_header.h"
#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace headroom {
namespace {

constexpr std::uint64_t largest_header = 100'000'000; // the format's own limit

} // namespace

NamedTensors parse_safetensors(std::span<const std::byte> file)
{
    std::uint64_t header_size = 0;
    if (file.size() < sizeof header_size) refuse_safetensors("it is shorter than 8 bytes");
    std::memcpy(&header_size, file.data(), sizeof header_size);
    const auto rest = file.subspan(sizeof header_size);
    if (header_size > largest_header || header_size > rest.size())
        refuse_safetensors("its header claims " + std::to_string(header_size) + " bytes of a file of " +
                           std::to_string(file.size()));
    const auto data = rest.subspan(header_size);
    SafetensorsHeader header =
        parse_header({reinterpret_cast<const char*>(rest.data()), header_size}, static_cast<Index>(data.size()));
    NamedTensors contents;
    contents.metadata = std::move(header.metadata);
    for (const TensorEntry& entry : header.tensors) {
        StoredTensor tensor(entry.shape, entry.type);
        const auto bytes = data.subspan(static_cast<std::size_t>(entry.from), tensor.bytes().size());
        std::ranges::copy(bytes, tensor.bytes().begin());
        contents.tensors.emplace(entry.name, std::move(tensor));
    }
    return contents;
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
    const std::vector<std::byte> file = read_file(path);
    try {
        return parse_safetensors(file);
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(path.string() + ": " + error.what());
    }
}

void write_safetensors(const std::filesystem::path& path, const NamedTensors& contents)
{
    write_file(path, format_safetensors(contents));
}

} // namespace headroom
