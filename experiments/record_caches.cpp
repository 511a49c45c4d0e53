#include "experiments/record_caches.h"

#include "reference/recording/recorded.h"
#include "reference/tensor/random.h"
#include <utility>

namespace headroom {
namespace {

std::string detail_of(std::string_view kind, const CacheOptions& options)
{
    if (kind == "paged") return "block " + std::to_string(options.block);
    if (kind == "ring") return "window " + std::to_string(options.window) + ", sinks " + std::to_string(options.sinks);
    if (kind == "growing") return "from " + std::to_string(options.initial);
    return {};
}

Lane lane(const CacheKind& kind, std::string name, DType type, const RecordCachesSettings& s)
{
    const KvGeometry geometry{
        .sequences = 1, .kv_heads = s.kv_heads, .head_dim = s.head_dim, .value_dim = s.head_dim, .type = type};
    CacheOptions options = s.options;
    options.longest_append = 1;
    const auto cache = kind.make(geometry, options);
    cache->record_events(true);
    Lane lane{.name = std::move(name),
              .cache = std::string(kind.name),
              .detail = detail_of(kind.name, options),
              .q_heads = s.kv_heads,
              .geometry = cache->geometry(),
              .steps = {}};
    Random random(s.seed);
    for (Index past = 0; past < s.steps; ++past) {
        cache->append(random_normal({1, s.kv_heads, 1, s.head_dim}, random),
                      random_normal({1, s.kv_heads, 1, s.head_dim}, random));
        RecordedStep step;
        step.past = past;
        step.added = 1;
        step.counters = cache->counters();
        step.events = cache->take_events();
        record_slots(cache->view(0), step);
        lane.steps.push_back(std::move(step));
    }
    return lane;
}

} // namespace

Recording record_caches(const RecordCachesSettings& s)
{
    Recording recording{.title = "One token a step, through every kind of cache", .command = "", .lanes = {}};
    for (const CacheKind& kind : cache_kinds())
        recording.lanes.push_back(lane(kind, std::string(kind.name), s.type, s));
    recording.lanes.push_back(lane(cache_kind("preallocated"), "preallocated i8", DType::i8, s));
    return recording;
}

} // namespace headroom
