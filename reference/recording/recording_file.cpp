// Recordings as files: the JSON manifest and the names of the tensors beside it.
#include "reference/recording/recording.h"

#include "reference/recording/kernels_file.h"
#include "reference/tensor/safetensors.h"
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view manifest_key = "headroom.recording", schema = "headroom.recording/1";
constexpr std::size_t most_lanes = 64, most_steps = 100'000;

std::string step_name(std::size_t step)
{
    std::string digits = std::to_string(step);
    return "step" + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits;
}

// The tensors of a layer, by name: one list for writing and reading.
struct LayerTensor {
    std::string_view name;
    Tensor RecordedLayer::*tensor;
};
constexpr std::array layer_tensors{LayerTensor{"q", &RecordedLayer::q}, LayerTensor{"new_k", &RecordedLayer::new_k},
                                   LayerTensor{"new_v", &RecordedLayer::new_v},
                                   LayerTensor{"key_position", &RecordedLayer::key_position}};

template <class Layer, class Visit> void each_tensor(Layer& layer, Visit visit)
{
    for (const LayerTensor& t : layer_tensors) visit(t.name, layer.*t.tensor);
    for (const Stage& s : stages()) visit(s.name, layer.stages.*s.tensor);
}

constexpr std::array event_names{"allocate", "copy", "write", "evict", "share", "free"};
constexpr std::array scaling_names{"none", "per_tensor", "per_head", "per_head_and_token", "per_channel"};

template <std::size_t N> std::uint8_t index_of(const std::array<const char*, N>& names, const std::string& wanted)
{
    const auto found = std::ranges::find(names, wanted, [](const char* name) { return std::string(name); });
    if (found == names.end()) throw std::invalid_argument("the manifest says '" + wanted + "', which is unknown");
    return static_cast<std::uint8_t>(found - names.begin());
}

Json to_json(const RecordedStep& step)
{
    Json json{{"past", step.past}, {"added", step.added}, {"slots", step.slots}, {"ms", step.ms}};
    if (!step.token.empty()) json["token"] = step.token;
    json["live_bytes"] = step.counters.live;
    json["reserved_bytes"] = step.counters.reserved;
    json["copied_bytes"] = step.counters.copied;
    json["peak_bytes"] = step.counters.peak;
    json["allocations"] = step.counters.allocations;
    for (const RecordedLayer& layer : step.layers) json["layers"].push_back(layer.layer);
    for (const CacheEvent& e : step.events)
        json["events"].push_back(
            {event_names.at(static_cast<std::size_t>(e.kind)), e.sequence, e.block, e.slot, e.rows, e.bytes});
    return json;
}

RecordedStep step_from(const Json& json)
{
    RecordedStep step;
    step.past = json.at("past");
    step.added = json.at("added");
    step.slots = json.at("slots");
    step.ms = json.at("ms");
    step.token = json.value("token", "");
    step.counters.live = json.at("live_bytes");
    step.counters.reserved = json.at("reserved_bytes");
    step.counters.copied = json.at("copied_bytes");
    step.counters.peak = json.at("peak_bytes");
    step.counters.allocations = json.at("allocations");
    for (const Json& layer : json.value("layers", Json::array())) step.layers.push_back({.layer = layer});
    for (const Json& e : json.value("events", Json::array()))
        step.events.push_back({static_cast<CacheEvent::Kind>(index_of(event_names, e.at(0))), e.at(1), e.at(2), e.at(3),
                               e.at(4), e.at(5)});
    if (step.past < 0 || step.added < 0 || step.slots < 0) throw std::invalid_argument("a step has a negative length");
    return step;
}

Json to_json(const Lane& lane)
{
    const KvGeometry& g = lane.geometry;
    Json json{{"name", lane.name}, {"cache", lane.cache}, {"detail", lane.detail}, {"q_heads", lane.q_heads}};
    json["geometry"] = {{"layers", g.layers},
                        {"sequences", g.sequences},
                        {"kv_heads", g.kv_heads},
                        {"head_dim", g.head_dim},
                        {"value_dim", g.value_dim},
                        {"dtype", name(g.type)},
                        {"scaling", scaling_names.at(static_cast<std::size_t>(g.scaling))}};
    json["steps"] = Json::array();
    for (const RecordedStep& step : lane.steps) json["steps"].push_back(to_json(step));
    return json;
}

Lane lane_from(const Json& json)
{
    Lane lane{.name = json.at("name"),
              .cache = json.at("cache"),
              .detail = json.at("detail"),
              .q_heads = json.at("q_heads"),
              .geometry = {},
              .steps = {}};
    const Json& g = json.at("geometry");
    lane.geometry = {.layers = g.at("layers"),
                     .sequences = g.at("sequences"),
                     .kv_heads = g.at("kv_heads"),
                     .head_dim = g.at("head_dim"),
                     .value_dim = g.at("value_dim"),
                     .type = dtype_from_name(g.at("dtype").get<std::string>()),
                     .scaling = static_cast<Scaling>(index_of(scaling_names, g.at("scaling")))};
    const KvGeometry& k = lane.geometry;
    if (std::min({k.layers, k.sequences, k.kv_heads, k.head_dim, k.value_dim, lane.q_heads}) < 1 ||
        lane.q_heads % k.kv_heads != 0)
        throw std::invalid_argument("lane '" + lane.name + "' has impossible heads or sizes");
    if (json.at("steps").size() > most_steps)
        throw std::invalid_argument("it has more than " + std::to_string(most_steps) + " steps");
    for (const Json& step : json.at("steps")) lane.steps.push_back(step_from(step));
    return lane;
}

void demand(const Tensor& tensor, const Shape& shape, const std::string& name)
{
    if (!tensor.empty() && tensor.shape() != shape)
        throw std::invalid_argument("tensor '" + name + "' has shape " + to_text(tensor.shape()) + ", not " +
                                    to_text(shape));
}

// What every scene relies on: all tensors of a layer agree with the lane's geometry and with each other.
void check_layer(const Lane& lane, const RecordedStep& step, const RecordedLayer& layer, const std::string& at)
{
    const KvGeometry& g = lane.geometry;
    const Index B = g.sequences, H = lane.q_heads, L = step.added;
    if (layer.q.empty() || layer.new_k.empty() || layer.new_v.empty() || layer.key_position.empty())
        throw std::invalid_argument(at + "q, new_k, new_v or key_position is missing");
    const Index S = layer.key_position.shape().size() == 2 ? layer.key_position.extent(1) : -1;
    demand(layer.q, {B, H, L, g.head_dim}, at + "q");
    demand(layer.new_k, {B, g.kv_heads, L, g.head_dim}, at + "new_k");
    demand(layer.new_v, {B, g.kv_heads, L, g.value_dim}, at + "new_v");
    demand(layer.key_position, {B, S}, at + "key_position");
    for (const auto* per_key : {&layer.stages.scores, &layer.stages.masked_scores, &layer.stages.weights})
        demand(*per_key, {B, H, L, S}, at + "scores or weights");
    for (const auto* per_row : {&layer.stages.row_max, &layer.stages.row_sum, &layer.stages.lse})
        demand(*per_row, {B, H, L}, at + "row_max, row_sum or lse");
    demand(layer.stages.output, {B, H, L, g.value_dim}, at + "output");
}

Tensor take(NamedTensors& file, const std::string& name)
{
    const auto found = file.tensors.find(name);
    return found == file.tensors.end() ? Tensor() : load(found->second);
}

Recording recording_from(NamedTensors& file)
{
    const auto manifest = file.metadata.find(std::string(manifest_key));
    if (manifest == file.metadata.end())
        throw std::invalid_argument("it is not a recording: no metadata '" + std::string(manifest_key) + "'");
    const Json json = Json::parse(manifest->second);
    if (json.at("schema") != schema) throw std::invalid_argument("its schema is not " + std::string(schema));
    Recording recording{.title = json.at("title"), .command = json.at("command"), .lanes = {}};
    if (json.at("lanes").size() > most_lanes)
        throw std::invalid_argument("it has more than " + std::to_string(most_lanes) + " lanes");
    for (const Json& lane_json : json.at("lanes")) {
        Lane lane = lane_from(lane_json);
        for (std::size_t s = 0; s < lane.steps.size(); ++s) {
            RecordedStep& step = lane.steps[s];
            const std::string prefix = step_name(s) + "/" + lane.name + "/";
            step.slot = take(file, prefix + "slot");
            step.position = take(file, prefix + "position");
            if (step.slot.shape() != step.position.shape() || (!step.slot.empty() && step.slot.shape().size() != 2))
                throw std::invalid_argument("tensors '" + prefix + "slot' and 'position' do not agree");
            for (RecordedLayer& layer : step.layers) {
                const std::string at = prefix + "layer" + std::to_string(layer.layer) + "/";
                each_tensor(
                    layer, [&](std::string_view name, Tensor& tensor) { tensor = take(file, at + std::string(name)); });
                check_layer(lane, step, layer, at);
            }
        }
        recording.lanes.push_back(std::move(lane));
    }
    if (json.contains("kernels")) recording.kernels = read_kernels(json.at("kernels"), file);
    return recording;
}

} // namespace

void write_recording(const Recording& recording, const std::filesystem::path& path)
{
    NamedTensors file;
    Json manifest{
        {"schema", schema}, {"title", recording.title}, {"command", recording.command}, {"lanes", Json::array()}};
    const auto keep = [&](const std::string& name, const Tensor& tensor) {
        if (!tensor.empty()) file.tensors.emplace(name, store(tensor, DType::f64));
    };
    for (const Lane& lane : recording.lanes) {
        manifest["lanes"].push_back(to_json(lane));
        for (std::size_t s = 0; s < lane.steps.size(); ++s) {
            const std::string prefix = step_name(s) + "/" + lane.name + "/";
            keep(prefix + "slot", lane.steps[s].slot);
            keep(prefix + "position", lane.steps[s].position);
            for (const RecordedLayer& layer : lane.steps[s].layers)
                each_tensor(layer, [&](std::string_view name, const Tensor& tensor) {
                    keep(prefix + "layer" + std::to_string(layer.layer) + "/" + std::string(name), tensor);
                });
        }
    }
    if (!recording.kernels.empty()) manifest["kernels"] = write_kernels(recording.kernels, file);
    file.metadata[std::string(manifest_key)] = manifest.dump();
    write_safetensors(path, file);
}

Recording read_recording(const std::filesystem::path& path)
{
    NamedTensors file = read_safetensors(path);
    try {
        return recording_from(file);
    } catch (const Json::exception&) {
        throw std::invalid_argument(
            path.string() + ": not a valid recording: its manifest lacks something or holds something of a wrong kind");
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(path.string() + ": not a valid recording: " + error.what());
    }
}

} // namespace headroom
