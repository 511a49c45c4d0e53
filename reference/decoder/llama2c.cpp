#include "reference/decoder/llama2c.h"

#include "reference/decoder/llama2c_header.h"
#include "reference/decoder/weight_list.h"
#include "reference/tensor/files.h"
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace headroom {
namespace {

// The file's weights in order, as a list of parts to fill: reading and writing are loops over it.
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

// One of the two tables of angles that a file of version 0 carries, though its header says them.
std::vector<float> angles(const DecoderConfig& c, double (*function)(double))
{
    std::vector<float> table;
    for (Index position = 0; position < c.max_length; ++position)
        for (Index d = 0; d < c.head_dim; d += 2)
            table.push_back(static_cast<float>(
                function(static_cast<double>(position) *
                         std::pow(c.rope_base, -static_cast<double>(d) / static_cast<double>(c.head_dim)))));
    return table;
}

} // namespace

Decoder parse_llama2c(std::span<const std::byte> file)
{
    const Llama2cHeader header = parse_llama2c_header(file);
    Decoder model;
    model.config = header.config;
    model.layers.resize(static_cast<std::size_t>(header.config.layers));
    std::span<const std::byte> rest = file.subspan(header.bytes());
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
    const Llama2cHeader header{version, c, model.classifier.empty()};
    std::vector<std::byte> file = written(header);
    const auto append = [&file](std::span<const std::byte> bytes) {
        file.insert(file.end(), bytes.begin(), bytes.end());
    };
    double (*table)(double) = std::cos; // the first of the two
    for (const Part& part : layout(const_cast<Decoder&>(model), version, header.shared_classifier)) // which only looks
        if (part.tensor) {
            append(part.tensor->bytes());
        } else {
            const std::vector<float> numbers = angles(c, table);
            append(std::as_bytes(std::span(numbers)));
            table = std::sin;
        }
    return file;
}

} // namespace headroom
