#include "reference/decoder/checkpoint.h"

#include "reference/decoder/llama2c.h"
#include "reference/decoder/weight_list.h"
#include "reference/tensor/files.h"
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto config_key = "headroom.decoder", embedding_name = "model.embed_tokens.weight",
               norm_name = "model.norm.weight", classifier_name = "lm_head.weight";

struct Size {
    const char* name;
    Index DecoderConfig::*value;
};
constexpr Size sizes[] = {{"width", &DecoderConfig::width},           {"layers", &DecoderConfig::layers},
                          {"q_heads", &DecoderConfig::q_heads},       {"kv_heads", &DecoderConfig::kv_heads},
                          {"head_dim", &DecoderConfig::head_dim},     {"hidden", &DecoderConfig::hidden},
                          {"vocabulary", &DecoderConfig::vocabulary}, {"max_length", &DecoderConfig::max_length}};

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument("not a valid checkpoint: " + why); }

DecoderConfig parse_config(const std::string& text, bool& shared_classifier)
{
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) refuse("its metadata '" + std::string(config_key) + "' is not a JSON object");
    DecoderConfig config;
    for (const auto& [name, value] : sizes) {
        if (!json.contains(name) || !json[name].is_number_integer())
            refuse("its metadata lacks the size '" + std::string(name) + "'");
        config.*value = json[name].get<Index>();
    }
    // All are always there: a base that is guessed would turn positions wrongly and say nothing.
    const auto number = [&json](const char* name) {
        if (!json.contains(name) || !json[name].is_number())
            refuse("its metadata lacks the number '" + std::string(name) + "'");
        return json[name].get<double>();
    };
    config.rope_base = number("rope_base");
    config.norm_epsilon = number("norm_epsilon");
    const Json layout = json.value("rope_layout", Json());
    if (layout != "neighbouring")
        refuse("its rope_layout is " + layout.dump() + "; this reader knows \"neighbouring\"");
    const Json shared = json.value("shared_classifier", Json());
    if (!shared.is_boolean()) refuse("its shared_classifier is " + shared.dump() + ", neither true nor false");
    shared_classifier = shared.get<bool>();
    check(config);
    return config;
}

std::string layer_name(Index layer, std::string_view weight)
{
    return "model.layers." + std::to_string(layer) + "." + std::string(weight);
}

} // namespace

Decoder decoder_from(const NamedTensors& file)
{
    const auto metadata = file.metadata.find(config_key);
    if (metadata == file.metadata.end()) refuse("its metadata lacks '" + std::string(config_key) + "'");
    bool shared = true;
    Decoder model;
    model.config = parse_config(metadata->second, shared);

    const auto take = [&file](const std::string& name, const Shape& shape) {
        const auto found = file.tensors.find(name);
        if (found == file.tensors.end()) refuse("tensor '" + name + "' is missing");
        const StoredTensor& tensor = found->second;
        if (tensor.shape() != shape)
            refuse("tensor '" + name + "' has shape " + to_text(tensor.shape()) + ", its sizes ask for " +
                   to_text(shape));
        const DType type = tensor.type();
        if (type != DType::f64 && type != DType::f32 && type != DType::f16 && type != DType::bf16)
            refuse("tensor '" + name + "' has dtype " + std::string(headroom::name(type)) +
                   "; weights are F64, F32, F16 or BF16");
        return store(load(tensor), DType::f32);
    };
    const DecoderConfig& c = model.config;
    model.embedding = take(embedding_name, {c.vocabulary, c.width});
    for (Index layer = 0; layer < c.layers; ++layer) { // a layer that is missing ends this, however many are claimed
        LayerWeights& weights = model.layers.emplace_back();
        for (const LayerWeight& each : layer_weights())
            each.in(weights) = take(layer_name(layer, each.name), each.shape(c));
    }
    model.final_norm = take(norm_name, {c.width});
    if (!shared) model.classifier = take(classifier_name, {c.vocabulary, c.width});

    const std::size_t used = 2 + layer_weights().size() * model.layers.size() + (shared ? 0 : 1);
    if (file.tensors.size() != used)
        refuse("it holds " + std::to_string(file.tensors.size()) + " tensors, a model of its sizes has " +
               std::to_string(used));
    return model;
}

NamedTensors safetensors_from(const Decoder& model)
{
    NamedTensors file;
    Json config;
    for (const auto& [name, value] : sizes) config[name] = model.config.*value;
    config["rope_base"] = model.config.rope_base;
    config["norm_epsilon"] = model.config.norm_epsilon;
    config["rope_layout"] = "neighbouring";
    config["shared_classifier"] = model.classifier.empty();
    file.metadata[config_key] = config.dump();

    const auto put = [&file](const std::string& name, const StoredTensor& tensor) {
        file.tensors.emplace(name, store(load(tensor), tensor.type()));
    };
    put(embedding_name, model.embedding);
    for (std::size_t layer = 0; layer < model.layers.size(); ++layer)
        for (const LayerWeight& each : layer_weights())
            put(layer_name(static_cast<Index>(layer), each.name), each.of(model.layers[layer]));
    put(norm_name, model.final_norm);
    if (!model.classifier.empty()) put(classifier_name, model.classifier);
    return file;
}

Checkpoint read_checkpoint(const std::filesystem::path& path)
{
    const std::vector<std::byte> file = read_file(path);
    std::uint64_t header = 0;
    if (file.size() > sizeof header) std::memcpy(&header, file.data(), sizeof header);
    const bool safetensors =
        path.extension() == ".safetensors" ||
        (file.size() > sizeof header && header <= file.size() - sizeof header && file[sizeof header] == std::byte{'{'});
    try {
        if (safetensors) return {decoder_from(parse_safetensors(file)), CheckpointFormat::safetensors};
        Decoder model = parse_llama2c(file);
        const bool marked =
            std::string_view(reinterpret_cast<const char*>(file.data()), 4) == "24ka"; // "ak42" as int32
        return {std::move(model), marked ? CheckpointFormat::llama2c_1 : CheckpointFormat::llama2c_0};
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(path.string() + ": " + error.what());
    }
}

void write_checkpoint(const std::filesystem::path& path, const Decoder& model, CheckpointFormat as)
{
    if (as == CheckpointFormat::safetensors)
        write_safetensors(path, safetensors_from(model));
    else
        write_file(path, llama2c_file(model, as == CheckpointFormat::llama2c_1 ? 1 : 0));
}

} // namespace headroom
