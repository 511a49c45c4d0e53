#include "reference/tensor/safetensors_header.h"

#include "reference/tensor/json_names.h"
#include <algorithm>
#include <array>
#include <stdexcept>
#include <tuple>

namespace headroom {
namespace {

using Json = nlohmann::json;

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

// A text from the file as it may stand in a message: on one line, and not too long.
std::string quoted(std::string text)
{
    constexpr std::size_t longest = 60;
    if (text.size() > longest) text = text.substr(0, longest) + "...";
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) >= 0x7f) c = '?';
    return "'" + text + "'";
}

// What the format allows of JSON: objects in one object, lists in those, every name once. A hostile text ends before it
// has filled the memory.
class Rules : public JsonNames {
    void opens(std::size_t depth) override
    {
        if (depth > 2) refuse_safetensors("its header nests deeper than entries and their lists");
        items_ = 0;
    }
    void holds_value(std::size_t depth) override
    {
        if (depth == 3 && ++items_ > most_axes)
            refuse_safetensors("a list in its header has more than " + std::to_string(most_axes) + " numbers");
    }
    void repeated(const std::string& name) override
    {
        refuse_safetensors("the name " + quoted(name) + " stands twice in its header");
    }

    static constexpr int most_axes = 64;
    int items_ = 0;
};

Json parse_json(std::string_view text)
{
    if (text.empty() || text.front() != '{') refuse_safetensors("its header does not begin with '{'");
    try {
        Rules rules;
        if (Json::sax_parse(text, &rules)) return Json::parse(text);
    } catch (const Json::exception&) { // said below
    }
    refuse_safetensors("its header is not JSON in UTF-8");
}

DType type_of(const Json& entry, const std::string& tensor)
{
    const Json& name = entry.at("dtype");
    if (!name.is_string()) refuse_safetensors("the dtype of " + tensor + " is not a text");
    for (const auto& [known, type] : type_names)
        if (known == name.get_ref<const std::string&>()) return type;
    refuse_safetensors(tensor + " has dtype " + quoted(name.get<std::string>()) + ", which is not supported");
}

std::vector<Index> sizes(const Json& list, const std::string& what)
{
    if (!list.is_array()) refuse_safetensors(what + " is not a list");
    std::vector<Index> sizes;
    for (const Json& item : list) {
        if (!item.is_number_unsigned() || item.get<std::uint64_t>() > std::numeric_limits<Index>::max())
            refuse_safetensors(what + " holds something that is not a size");
        sizes.push_back(item.get<Index>());
    }
    return sizes;
}

TensorEntry tensor_entry(const std::string& name, const Json& entry, Index data_bytes)
{
    const std::string tensor = "tensor " + quoted(name);
    for (const char* key : {"dtype", "shape", "data_offsets"})
        if (!entry.contains(key)) refuse_safetensors(tensor + " lacks " + key);
    const DType type = type_of(entry, tensor);
    const Shape shape = sizes(entry["shape"], "the shape of " + tensor);
    const std::vector<Index> offsets = sizes(entry["data_offsets"], "data_offsets of " + tensor);
    if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data_bytes)
        refuse_safetensors("data_offsets of " + tensor + " lie outside the " + std::to_string(data_bytes) +
                           " bytes of data");
    Index bytes = byte_size(type);
    for (const Index extent : shape)
        if (__builtin_mul_overflow(bytes, extent, &bytes)) refuse_safetensors(tensor + " has too large a shape");
    if (offsets[1] - offsets[0] != bytes)
        refuse_safetensors(tensor + " of shape " + to_text(shape) + " needs " + std::to_string(bytes) +
                           " bytes, but its data_offsets span " + std::to_string(offsets[1] - offsets[0]));
    return {name, type, shape, offsets[0], offsets[1]};
}

} // namespace

void refuse_safetensors(const std::string& why) { throw std::invalid_argument("not a valid safetensors file: " + why); }

SafetensorsHeader parse_header(std::string_view json, Index data_bytes)
{
    SafetensorsHeader header;
    const Json root = parse_json(json);
    for (const auto& [name, entry] : root.items()) {
        if (!entry.is_object()) refuse_safetensors("entry " + quoted(name) + " is not an object");
        if (name != "__metadata__") {
            header.tensors.push_back(tensor_entry(name, entry, data_bytes));
            continue;
        }
        for (const auto& [key, text] : entry.items()) {
            if (!text.is_string()) refuse_safetensors("metadata " + quoted(key) + " is not a text");
            header.metadata[key] = text.get<std::string>();
        }
    }

    std::ranges::sort(header.tensors, {}, [](const TensorEntry& t) { return std::tie(t.from, t.to); });
    Index end = 0;
    for (const TensorEntry& tensor : header.tensors) {
        if (tensor.from < end) refuse_safetensors("tensor " + quoted(tensor.name) + " overlaps another");
        if (tensor.from > end) refuse_safetensors("there is a gap before tensor " + quoted(tensor.name));
        end = tensor.to;
    }
    if (end != data_bytes) refuse_safetensors("bytes follow its last tensor");
    return header;
}

std::string format_header(const SafetensorsHeader& header)
{
    Json root = Json::object();
    if (!header.metadata.empty()) root["__metadata__"] = header.metadata;
    for (const TensorEntry& tensor : header.tensors) {
        if (tensor.name == "__metadata__") throw std::invalid_argument("no tensor can be called __metadata__");
        const auto found = std::ranges::find(type_names, tensor.type, &decltype(type_names)::value_type::second);
        root[tensor.name] = {
            {"dtype", std::string(found->first)}, {"shape", tensor.shape}, {"data_offsets", {tensor.from, tensor.to}}};
    }
    try {
        return root.dump();
    } catch (const Json::exception&) {
        throw std::invalid_argument("a tensor's name or a metadata text is not UTF-8");
    }
}

} // namespace headroom
