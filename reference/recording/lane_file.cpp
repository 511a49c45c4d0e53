// A lane in a file: its geometry and steps in the manifest; its tensors are named like step0003/gqa/layer0/scores.
#include "reference/recording/step_json.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace headroom::recording_file {
namespace {

constexpr std::size_t most_steps = 100'000;
constexpr std::array scaling_names{"none", "per_tensor", "per_head", "per_head_and_token", "per_channel"};

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

Json geometry_and_steps(const Lane& lane)
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
        refuse("lane '" + lane.name + "' has impossible heads or sizes");
    if (json.at("steps").size() > most_steps) refuse("it has more than " + std::to_string(most_steps) + " steps");
    for (const Json& step : json.at("steps")) lane.steps.push_back(step_from(step));
    return lane;
}

void demand(const Tensor& tensor, const Shape& shape, const std::string& name)
{
    if (!tensor.empty() && tensor.shape() != shape)
        refuse("tensor '" + name + "' has shape " + to_text(tensor.shape()) + ", not " + to_text(shape));
}

// What every scene relies on: all tensors of a layer agree with the lane's geometry and with each other.
void check_layer(const Lane& lane, const RecordedStep& step, const RecordedLayer& layer, const std::string& at)
{
    const KvGeometry& g = lane.geometry;
    const Index B = g.sequences, H = lane.q_heads, L = step.added;
    if (layer.q.empty() || layer.new_k.empty() || layer.new_v.empty() || layer.key_position.empty())
        refuse(at + "q, new_k, new_v or key_position is missing");
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

std::string prefix_of(const Lane& lane, std::size_t step) { return four_digits("step", step) + "/" + lane.name + "/"; }

} // namespace

Json write_lane(const Lane& lane, NamedTensors& into)
{
    for (std::size_t s = 0; s < lane.steps.size(); ++s) {
        const std::string prefix = prefix_of(lane, s);
        keep(lane.steps[s].slot, prefix + "slot", into);
        keep(lane.steps[s].position, prefix + "position", into);
        for (const RecordedLayer& layer : lane.steps[s].layers)
            each_tensor(layer, [&](std::string_view name, const Tensor& tensor) {
                keep(tensor, prefix + "layer" + std::to_string(layer.layer) + "/" + std::string(name), into);
            });
    }
    return geometry_and_steps(lane);
}

Lane read_lane(const Json& json, const NamedTensors& from)
{
    Lane lane = lane_from(json);
    for (std::size_t s = 0; s < lane.steps.size(); ++s) {
        RecordedStep& step = lane.steps[s];
        const std::string prefix = prefix_of(lane, s);
        step.slot = take(prefix + "slot", from);
        step.position = take(prefix + "position", from);
        if (step.slot.shape() != step.position.shape() || (!step.slot.empty() && step.slot.shape().size() != 2))
            refuse("tensors '" + prefix + "slot' and 'position' do not agree");
        for (RecordedLayer& layer : step.layers) {
            const std::string at = prefix + "layer" + std::to_string(layer.layer) + "/";
            each_tensor(layer,
                        [&](std::string_view name, Tensor& tensor) { tensor = take(at + std::string(name), from); });
            check_layer(lane, step, layer, at);
        }
    }
    return lane;
}

} // namespace headroom::recording_file
