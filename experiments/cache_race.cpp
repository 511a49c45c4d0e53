#include "experiments/cache_race.h"

#include <algorithm>
#include <utility>

namespace headroom {
namespace {

RaceLane lane(const Decoder& model, const CacheRaceSettings& settings, const Backend& backend, std::string name,
              std::string idea)
{
    GenerationSettings how{.steps = settings.steps, .cache = std::nullopt, .recomputed_type = settings.type};
    if (name != "none") how.cache = CacheChoice{name, settings.type, settings.options};
    Backend mine = backend;
    if (name == "ring") { // what it has forgotten, attention must not expect
        mine.options.window = settings.options.window;
        mine.options.sinks = settings.options.sinks;
    }
    RaceLane lane{.name = std::move(name), .idea = std::move(idea), .run = {}, .work = {}};
    lane.run = generate(model, {settings.prompt}, how, mine);
    for (const GenerationStep& step : lane.run.steps) {
        lane.copied += step.bytes.copied;
        lane.most_copied = std::max(lane.most_copied, step.bytes.copied);
        (step.prefill ? lane.prefill_ms : lane.decode_ms) += step.ms;
        lane.work.linear += step.work.linear;
        lane.work.attention += step.work.attention;
        lane.work.kv_bytes += step.work.kv_bytes;
    }
    return lane;
}

} // namespace

std::vector<RaceLane> cache_race(const Decoder& model, const CacheRaceSettings& settings, const Backend& backend)
{
    std::vector<RaceLane> lanes;
    for (const CacheKind& kind : cache_kinds())
        lanes.push_back(lane(model, settings, backend, std::string(kind.name), std::string(kind.idea)));
    if (settings.without_cache) lanes.push_back(lane(model, settings, backend, "none", "computes everything again"));
    for (RaceLane& each : lanes) each.same_text = each.run.tokens == lanes.front().run.tokens;
    return lanes;
}

} // namespace headroom
