#include "reference/tensor/safetensors.h"

#include "reference/tensor/files.h"
#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

namespace headroom {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t largest_header = 100'000'000; // the format's own limit
constexpr std::array<std::pair<std::string_view, DType>, 10> type_names{{{"F64", DType::f64},
                                                                         {"F32", DType::f32},
                                                                         {"F16", DType::f16},
                                                                         {"BF16", DType::bf16},
                                                                         {"F8_E4M3", DType::f8e4m3},
                                                                         {"I8", DType::i8},
                                                                         {"U8", DType::u8},
                                                                         {"I32", DType::i32},
                                                                         {"I64", DType::i64},
                                                                         {"BOOL", DType::boolean}}};

[[noreturn]] void refuse(const std::string& why)
{
    throw std::invalid_argument("not a valid safetensors file: " + why);
}

DType type_from(const std::string& tensor, const std::string& name)
{
    for (const auto& [known, type] : type_names)
        if (known == name) return type;
    refuse("tensor '" + tensor + "' has dtype '" + name + "', which is not supported");
}

// JSON as the format wants it: an object whose names are unique.
Json parse_header(std::string_view text)
{
    if (text.empty() || text.front() != '{') refuse("the header does not begin with '{'");
    std::vector<std::set<std::string>> open; // names seen in each object that is still open
    const auto unique = [&open](int, Json::parse_event_t event, Json& value) {
        if (event == Json::parse_event_t::object_start) open.emplace_back();
        if (event == Json::parse_event_t::object_end) open.pop_back();
        if (event == Json::parse_event_t::key && !open.back().insert(value.get<std::string>()).second)
            refuse("the name '" + value.get<std::string>() + "' stands twice in the header");
        return true;
    };
    try {
        return Json::parse(text, unique);
    } catch (const Json::exception&) {
        refuse("the header is not JSON in UTF-8");
    }
}

std::vector<Index> integers(const Json& value, const std::string& what)
{
    if (!value.is_array()) refuse(what + " is not a list");
    std::vector<Index> list;
    for (const Json& item : value) {
        if (!item.is_number_unsigned() ||
            item.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
            refuse(what + " holds something that is not a size");
        list.push_back(item.get<Index>());
    }
    return list;
}

struct Range {
    Index from, to;
    std::string name;
};

} // namespace

NamedTensors parse_safetensors(std::span<const std::byte> file)
{
    std::uint64_t header_size = 0;
    if (file.size() < sizeof header_size) refuse("it is shorter than 8 bytes");
    std::memcpy(&header_size, file.data(), sizeof header_size);
    if (header_size > largest_header || header_size > file.size() - sizeof header_size)
        refuse("its header claims " + std::to_string(header_size) + " bytes of a file of " +
               std::to_string(file.size()));
    const auto data = file.subspan(sizeof header_size + header_size);
    const Json header = parse_header({reinterpret_cast<const char*>(file.data()) + sizeof header_size, header_size});

    NamedTensors contents;
    std::vector<Range> ranges;
    for (const auto& [name, entry] : header.items()) {
        if (!entry.is_object()) refuse("entry '" + name + "' is not an object");
        if (name == "__metadata__") {
            for (const auto& [key, text] : entry.items()) {
                if (!text.is_string()) refuse("metadata '" + key + "' is not a text");
                contents.metadata[key] = text.get<std::string>();
            }
            continue;
        }
        if (!entry.contains("dtype") || !entry["dtype"].is_string() || !entry.contains("shape") ||
            !entry.contains("data_offsets"))
            refuse("tensor '" + name + "' lacks dtype, shape or data_offsets");
        const DType type = type_from(name, entry["dtype"].get<std::string>());
        const Shape shape = integers(entry["shape"], "the shape of '" + name + "'");
        const std::vector<Index> offsets = integers(entry["data_offsets"], "data_offsets of '" + name + "'");
        Index bytes = 0;
        if (__builtin_mul_overflow(count(shape), byte_size(type), &bytes)) refuse("tensor '" + name + "' is too large");
        if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > static_cast<Index>(data.size()))
            refuse("data_offsets of '" + name + "' lie outside the file's " + std::to_string(data.size()) +
                   " bytes of data");
        if (offsets[1] - offsets[0] != bytes)
            refuse("tensor '" + name + "' of shape " + to_text(shape) + " needs " + std::to_string(bytes) +
                   " bytes, its offsets span " + std::to_string(offsets[1] - offsets[0]));
        ranges.push_back({offsets[0], offsets[1], name});
        StoredTensor tensor(shape, type);
        if (bytes) std::memcpy(tensor.bytes().data(), data.data() + offsets[0], static_cast<std::size_t>(bytes));
        contents.tensors.emplace(name, std::move(tensor));
    }

    // The tensors fill the data without a gap and without sharing a byte.
    std::ranges::sort(ranges, {}, [](const Range& r) { return std::pair(r.from, r.to); });
    Index end = 0;
    for (const Range& range : ranges) {
        if (range.from < end) refuse("tensor '" + range.name + "' overlaps another");
        if (range.from > end) refuse("there is a gap before tensor '" + range.name + "'");
        end = range.to;
    }
    if (end != static_cast<Index>(data.size())) refuse("bytes follow its last tensor");
    return contents;
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

std::vector<std::byte> format_safetensors(const NamedTensors& contents)
{
    Json header = Json::object();
    if (!contents.metadata.empty()) header["__metadata__"] = contents.metadata;
    Index offset = 0;
    for (const auto& [name, tensor] : contents.tensors) {
        const auto found = std::ranges::find(type_names, tensor.type(), [](const auto& pair) { return pair.second; });
        const auto bytes = static_cast<Index>(tensor.bytes().size());
        header[name] = {{"dtype", std::string(found->first)},
                        {"shape", tensor.shape()},
                        {"data_offsets", {offset, offset + bytes}}};
        offset += bytes;
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' '); // data begins at a multiple of 8

    const std::uint64_t header_size = text.size();
    std::vector<std::byte> file(sizeof header_size + header_size);
    std::memcpy(file.data(), &header_size, sizeof header_size);
    std::memcpy(file.data() + sizeof header_size, text.data(), text.size());
    for (const auto& [name, tensor] : contents.tensors)
        file.insert(file.end(), tensor.bytes().begin(), tensor.bytes().end());
    return file;
}

void write_safetensors(const std::filesystem::path& path, const NamedTensors& contents)
{
    write_file(path, format_safetensors(contents));
}

} // namespace headroom
