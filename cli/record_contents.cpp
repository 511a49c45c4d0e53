#include "cli/record_contents.h"

#include "cli/command.h"
#include <nlohmann/json.hpp>

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

Json of_lane(const Lane& lane)
{
    const KvCounters last = lane.steps.empty() ? KvCounters{} : lane.steps.back().counters;
    Json layers = Json::array();
    if (!lane.steps.empty())
        for (const RecordedLayer& layer : lane.steps.back().layers) layers.push_back(layer.layer);
    std::size_t events = 0;
    for (const RecordedStep& step : lane.steps) events += step.events.size();
    return {{"name", lane.name},
            {"cache", lane.cache},
            {"q_heads", lane.q_heads},
            {"kv_heads", lane.geometry.kv_heads},
            {"head_dim", lane.geometry.head_dim},
            {"dtype", name(lane.geometry.type)},
            {"layers", lane.geometry.layers},
            {"recorded_layers", layers},
            {"steps", lane.steps.size()},
            {"events", events},
            {"live_bytes", last.live},
            {"reserved_bytes", last.reserved}};
}

} // namespace

std::string contents_json(const Recording& recording)
{
    Json json{{"schema", "headroom.record/1"}, {"title", recording.title}, {"command", recording.command}};
    json["lanes"] = json["caches"] = json["models"] = json["checks"] = Json::array();
    for (const Lane& lane : recording.lanes) json["lanes"].push_back(of_lane(lane));
    for (const Lane& lane : recording.caches) json["caches"].push_back(of_lane(lane));
    for (const RecordedModel& model : recording.models)
        json["models"].push_back({{"name", model.name}, {"source", model.source}});
    for (const RecordedCheck& check : recording.checks) {
        Json stages = Json::array();
        for (const RecordedStage& stage : check.stages) stages.push_back(stage.stage);
        json["checks"].push_back({{"impl", check.implementation},
                                  {"executor", check.executor},
                                  {"case", check.case_name},
                                  {"status", check.status},
                                  {"stages", stages}});
    }
    json["kernels"] = Json::array();
    for (const TracedStep& kernel : recording.kernels) {
        std::size_t events = 0;
        for (const KernelTrace& launch : kernel.launches) events += launch.events.size();
        json["kernels"].push_back({{"impl", kernel.step},
                                   {"launches", kernel.launches.size()},
                                   {"events", events},
                                   {"parts", kernel.parts.size()}});
    }
    return json.dump(2);
}

std::string as_given(const CLI::App& app)
{
    std::string text;
    for (const CLI::Option* option : app.get_options()) {
        if (option->count() == 0 || option->check_name("--output") || option->check_name("--json") ||
            option->check_name("--help"))
            continue;
        text += (text.empty() ? "" : " ") + option->get_name();
        if (option->get_items_expected_max() == 0) continue;
        for (const std::string& value : option->results()) {
            const bool plain =
                value.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/,") ==
                    std::string::npos &&
                !value.empty();
            text += plain ? " " + value : " '" + value + "'";
        }
    }
    return text;
}

} // namespace headroom
