#include "reference/decoder/llama2c.h"

#include "reference/decoder/weight_list.h"
#include "reference/tensor/files.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace headroom {
namespace {

constexpr std::int32_t magic = 0x616b3432; // "ak42"
constexpr std::size_t header_bytes_0 = 7 * 4, header_bytes_1 = 256, shared_flag_at = 2 * 4 + 7 * 4;

[[noreturn]] void refuse(const std::string& why)
{
    throw std::invalid_argument("not a valid llama2.c checkpoint: " + why);
}

std::int32_t integer(std::span<const std::byte> file, std::size_t at)
{
    std::int32_t value = 0;
    std::memcpy(&value, file.data() + at, sizeof value);
    return value;
}

struct Header {
    int version = 0;
    DecoderConfig config;
    bool shared_classifier = true;
    std::size_t bytes = 0;
};

Header parse_header(std::span<const std::byte> file)
{
    Header header;
    header.bytes = header_bytes_0;
    if (file.size() < header_bytes_0) refuse("it has " + std::to_string(file.size()) + " bytes, too few for a header");
    std::size_t at = 0;
    if (integer(file, 0) == magic) {
        header.version = integer(file, 4);
        if (header.version != 1) refuse("its version is " + std::to_string(header.version) + "; 0 and 1 are known");
        header.bytes = header_bytes_1;
        if (file.size() < header_bytes_1) refuse("it ends within its header of 256 bytes");
        at = 8;
    }
    Index size[7];
    for (Index& each : size) {
        each = integer(file, at);
        at += 4;
    }
    if (header.version == 1) {
        const auto flag = std::to_integer<int>(file[shared_flag_at]);
        if (flag > 1) refuse("its flag for a shared classifier is " + std::to_string(flag));
        header.shared_classifier = flag == 1;
    } else {
        header.shared_classifier = size[5] > 0;
        size[5] = std::abs(size[5]);
    }
    DecoderConfig& c = header.config;
    c = {.width = size[0],
         .layers = size[2],
         .q_heads = size[3],
         .kv_heads = size[4],
         .head_dim = 1,
         .hidden = size[1],
         .vocabulary = size[5],
         .max_length = size[6]};
    if (c.q_heads > 0 && c.width > 0) {
        if (c.width % c.q_heads != 0)
            refuse("its width " + std::to_string(c.width) + " is no multiple of its " + std::to_string(c.q_heads) +
                   " heads");
        c.head_dim = c.width / c.q_heads;
    }
    try {
        check(c);
    } catch (const std::invalid_argument& error) {
        refuse(error.what());
    }
    return header;
}

// The file's weights in order, as a list of parts to fill: reading, writing and the file's size are loops over it.
struct Part {
    StoredTensor* tensor; // null: the cos and sin tables, which follow from the header
    Shape shape;
};
std::vector<Part> layout(Decoder& model, int version, bool shared_classifier)
{
    const DecoderConfig& c = model.config;
    std::vector<Part> parts;
    const auto per_layer = [&](const LayerWeight& weight) {
        for (LayerWeights& layer : model.layers) parts.push_back({&weight.in(layer), weight.shape(c)});
    };
    const auto is_norm = [&](const LayerWeight& weight) { return weight.shape(c).size() == 1; };
    const Part embedding{&model.embedding, {c.vocabulary, c.width}}, final_norm{&model.final_norm, {c.width}};

    if (version == 0) {
        parts.push_back(embedding);
        for (const LayerWeight& weight : layer_weights()) per_layer(weight);
        parts.push_back(final_norm);
        for (int table = 0; table < 2; ++table) parts.push_back({nullptr, {c.max_length, c.head_dim / 2}});
    } else {
        for (const LayerWeight& weight : layer_weights())
            if (is_norm(weight)) per_layer(weight);
        parts.push_back(final_norm);
        parts.push_back(embedding);
        for (const LayerWeight& weight : layer_weights())
            if (!is_norm(weight)) per_layer(weight);
    }
    if (!shared_classifier) parts.push_back({&model.classifier, {c.vocabulary, c.width}});
    return parts;
}

// Before anything is allocated: does a file of this size hold what its header promises?
void check_size(const Header& header, std::size_t file_bytes)
{
    const DecoderConfig& c = header.config;
    bool too_large = false;
    Index numbers = 0;
    const auto add = [&](Index times, Index rows, Index columns) {
        Index product = 0;
        too_large |= __builtin_mul_overflow(rows, columns, &product) ||
                     __builtin_mul_overflow(product, times, &product) ||
                     __builtin_add_overflow(numbers, product, &numbers);
    };
    for (const LayerWeight& weight : layer_weights()) {
        const Shape shape = weight.shape(c);
        add(c.layers, shape.front(), shape.size() == 2 ? shape.back() : 1);
    }
    add(1, c.width, 1);
    add(header.shared_classifier ? 1 : 2, c.vocabulary, c.width);
    if (header.version == 0) add(2, c.max_length, c.head_dim / 2);

    Index bytes = 0;
    too_large |= __builtin_mul_overflow(numbers, Index{sizeof(float)}, &bytes) ||
                 __builtin_add_overflow(bytes, static_cast<Index>(header.bytes), &bytes);
    if (too_large) refuse("the sizes in its header are too large");
    if (bytes != static_cast<Index>(file_bytes))
        refuse("its header asks for " + std::to_string(bytes) + " bytes, it has " + std::to_string(file_bytes));
}

} // namespace

Decoder parse_llama2c(std::span<const std::byte> file)
{
    const Header header = parse_header(file);
    check_size(header, file.size());

    Decoder model;
    model.config = header.config;
    model.layers.resize(static_cast<std::size_t>(header.config.layers));
    std::span<const std::byte> rest = file.subspan(header.bytes);
    for (const Part& part : layout(model, header.version, header.shared_classifier)) {
        const auto bytes = static_cast<std::size_t>(count(part.shape)) * sizeof(float);
        if (part.tensor) {
            *part.tensor = StoredTensor(part.shape, DType::f32);
            std::memcpy(part.tensor->bytes().data(), rest.data(), bytes);
        }
        rest = rest.subspan(bytes);
    }
    return model;
}

Decoder read_llama2c(const std::filesystem::path& path)
{
    const std::vector<std::byte> file = read_file(path);
    try {
        return parse_llama2c(file);
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(path.string() + ": " + error.what());
    }
}

std::vector<std::byte> llama2c_file(const Decoder& model, int version)
{
    const DecoderConfig& c = model.config;
    check(c);
    if (c.q_heads * c.head_dim != c.width || c.rope_base != 10000 || c.norm_epsilon != 1e-5)
        throw std::invalid_argument("a llama2.c checkpoint needs width = q_heads * head_dim, rope_base 10000 and "
                                    "norm_epsilon 1e-5");
    const bool shared = model.classifier.empty();
    const auto size = [](Index value) { return static_cast<std::int32_t>(value); };
    std::vector<std::int32_t> header;
    if (version == 1) header = {magic, 1};
    for (const Index each : {c.width, c.hidden, c.layers, c.q_heads, c.kv_heads,
                             version == 0 && !shared ? -c.vocabulary : c.vocabulary, c.max_length})
        header.push_back(size(each));

    std::vector<std::byte> file;
    const auto append = [&file](std::span<const std::byte> bytes) {
        file.insert(file.end(), bytes.begin(), bytes.end());
    };
    append(std::as_bytes(std::span(header)));
    if (version == 1) {
        file.resize(header_bytes_1);
        file[shared_flag_at] = std::byte{shared};
    }
    bool sine = false;
    for (const Part& part : layout(const_cast<Decoder&>(model), version, shared)) { // which only looks
        if (part.tensor) {
            append(part.tensor->bytes());
            continue;
        }
        std::vector<float> table;
        for (Index position = 0; position < c.max_length; ++position)
            for (Index d = 0; d < c.head_dim; d += 2) {
                const double angle = static_cast<double>(position) *
                                     std::pow(c.rope_base, -static_cast<double>(d) / static_cast<double>(c.head_dim));
                table.push_back(static_cast<float>(sine ? std::sin(angle) : std::cos(angle)));
            }
        append(std::as_bytes(std::span(table)));
        sine = true;
    }
    return file;
}

} // namespace headroom
