#include "experiments/record_caches.h"

#include "reference/recording/recorded.h"
#include "reference/tensor/random.h"
#include <cmath>
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

// Relative RMS of all that the cache still holds beside what came in.
double storage_error(const KvView& kv, const std::vector<Tensor>& keys, const std::vector<Tensor>& values)
{
    double error = 0, size = 0;
    for (Index j = 0; j < kv.length[0]; ++j) {
        const Place at = place(kv, 0, j);
        const auto token = static_cast<std::size_t>(position(kv, 0, j));
        const auto compare = [&](const StoredView& stored, const Tensor& given) {
            for (Index h = 0; h < given.extent(1); ++h)
                for (Index d = 0; d < given.extent(3); ++d) {
                    const double x = given(0, h, 0, d), off = value(stored, at.block, h, at.slot, d) - x;
                    error += off * off;
                    size += x * x;
                }
        };
        compare(kv.k, keys[token]);
        compare(kv.v, values[token]);
    }
    return size > 0 ? std::sqrt(error / size) : 0;
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
    std::vector<Tensor> keys, values; // [tokens], as they came in
    for (Index past = 0; past < s.steps; ++past) {
        keys.push_back(random_normal({1, s.kv_heads, 1, s.head_dim}, random));
        values.push_back(random_normal({1, s.kv_heads, 1, s.head_dim}, random));
        cache->append(keys.back(), values.back());
        RecordedStep step;
        step.past = past;
        step.added = 1;
        step.counters = cache->counters();
        step.events = cache->take_events();
        record_slots(cache->view(0), step);
        step.storage_error = storage_error(cache->view(0), keys, values);
        lane.steps.push_back(std::move(step));
    }
    return lane;
}

} // namespace

Recording record_caches(const RecordCachesSettings& s)
{
    Recording recording{.title = "One token a step, through every kind of cache", .command = "", .lanes = {}};
    for (const CacheKind& kind : cache_kinds())
        recording.caches.push_back(lane(kind, std::string(kind.name), s.type, s));
    recording.caches.push_back(lane(cache_kind("preallocated"), "preallocated i8", DType::i8, s));
    return recording;
}

} // namespace headroom
