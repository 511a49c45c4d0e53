// A step's line of the manifest: lengths, counters, events; its tensors lie beside it.
#include "reference/recording/step_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace headroom::recording_file {

constexpr std::array event_names{"allocate", "copy", "write", "evict", "share", "free"};

Json to_json(const RecordedStep& step)
{
    Json json{{"past", step.past}, {"added", step.added}, {"slots", step.slots}, {"ms", step.ms}};
    if (step.block > 0) json["block"] = step.block;
    if (!step.token.empty()) json["token"] = step.token;
    if (step.storage_error > 0) json["storage_error"] = step.storage_error;
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
    step.block = json.value("block", Index{0});
    step.token = json.value("token", "");
    step.storage_error = json.value("storage_error", 0.0);
    step.counters.live = json.at("live_bytes");
    step.counters.reserved = json.at("reserved_bytes");
    step.counters.copied = json.at("copied_bytes");
    step.counters.peak = json.at("peak_bytes");
    step.counters.allocations = json.at("allocations");
    for (const Json& layer : json.value("layers", Json::array())) step.layers.push_back({.layer = layer});
    for (const Json& e : json.value("events", Json::array()))
        step.events.push_back({static_cast<CacheEvent::Kind>(index_of(event_names, e.at(0))), e.at(1), e.at(2), e.at(3),
                               e.at(4), e.at(5)});
    if (step.past < 0 || step.added < 0 || step.slots < 0 || step.block < 0) refuse("a step has a negative length");
    return step;
}

} // namespace headroom::recording_file
