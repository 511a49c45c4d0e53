#include "experiments/cache_run.h"

#include "reference/tensor/random.h"
#include <new>
#include <stdexcept>
#include <unistd.h>

namespace headroom {
namespace {

void require_at_least(Index least, const char* what, Index number)
{
    if (number < least)
        throw std::invalid_argument(std::string(what) + " is " + std::to_string(number) + ", it must be at least " +
                                    std::to_string(least));
}

// Asked of beforehand: where memory runs out half-way, the operating system may end the program without a word.
void require_memory(const CacheSettings& s)
{
    const KvGeometry& g = s.geometry;
    const CacheOptions& o = s.options;
    const auto real = [](Index number) { return static_cast<double>(number); };
    double tokens = real(s.prefill) + real(s.steps);
    if (s.kind == "ring") tokens = std::min(tokens, real(o.window) + real(o.sinks) + real(o.longest_append));
    const double token_bytes = real(g.sequences) * real(g.layers) * real(g.kv_heads) *
                               (real(g.head_dim) + real(g.value_dim)) * real(byte_size(g.type));
    const double counters = real(sizeof(CacheStep)) * real(s.steps), layers = real(sizeof(KvView)) * real(g.layers);
    const double machine = real(sysconf(_SC_PHYS_PAGES)) * real(sysconf(_SC_PAGESIZE));
    if (tokens * token_bytes + counters + layers > machine) throw std::bad_alloc();
}

// One step, or as many as the cache needs for so many tokens, with standard normal numbers.
void append_random(KvCache& cache, Index tokens, Random& random)
{
    const KvGeometry& g = cache.geometry();
    for (Index first = 0; first < tokens;) {
        const Index n = std::min(tokens - first, cache.longest_append());
        cache.begin_step(std::vector<Index>(static_cast<std::size_t>(g.sequences), n));
        for (Index layer = 0; layer < g.layers; ++layer)
            cache.write(layer, random_normal({g.sequences, g.kv_heads, n, g.head_dim}, random),
                        random_normal({g.sequences, g.kv_heads, n, g.value_dim}, random));
        cache.end_step();
        first += n;
    }
}

CacheRun run(const CacheSettings& s)
{
    KvGeometry g = checked([&] {
        KvGeometry asked = s.geometry;
        asked.scales = calibrated_scales(asked, s.seed + 1);
        return asked;
    }());
    const auto cache = cache_kind(s.kind).make(g, s.options);
    Random random(s.seed);
    CacheRun result{.geometry = std::move(g), .steps = {}, .pages = {}};
    const auto step = [&](Index tokens) {
        append_random(*cache, tokens, random);
        result.steps.push_back({cache->lengths()[0], cache->counters()});
    };
    if (s.prefill > 0) step(s.prefill);
    for (Index i = 0; i < s.steps; ++i) step(1);
    if (const auto* paged = dynamic_cast<const PagedCache*>(cache.get())) result.pages = paged->pages();
    return result;
}

} // namespace

std::vector<StaticScales> calibrated_scales(const KvGeometry& g, std::uint64_t seed)
{
    const auto scales = [&](Random& random, Scaling scaling, Index width) -> std::vector<float> {
        if (scaling == Scaling::none || scaling == Scaling::per_head_and_token) return {};
        return calibrate(random_normal({1, g.kv_heads, 256, width}, random), g.type, scaling);
    };
    std::vector<StaticScales> all;
    Random random(seed);
    for (Index layer = 0; layer < g.layers; ++layer) {
        StaticScales one{.k = scales(random, g.k_scaling(), g.head_dim), .v = {}};
        if (!g.value_in_key) one.v = scales(random, g.v_scaling(), g.value_dim);
        all.push_back(std::move(one));
    }
    return all;
}

CacheRun run_cache(const CacheSettings& settings)
try {
    require_at_least(1, "batch", settings.geometry.sequences);
    require_at_least(1, "kv-heads", settings.geometry.kv_heads);
    require_at_least(1, "head-dim", settings.geometry.head_dim);
    require_at_least(1, "layers", settings.geometry.layers);
    const KvGeometry& g = settings.geometry;
    constexpr Index most = Index{1} << 28; // random numbers are made in double, 2 GiB of them
    if (const Index numbers = count({g.sequences, g.layers, g.kv_heads, g.head_dim}); numbers > most)
        throw std::invalid_argument("a step of one token stores " + std::to_string(numbers) +
                                    " numbers in K; at most 2^28 are made here: fewer sequences, layers or heads");
    require_at_least(0, "prefill", settings.prefill);
    require_at_least(settings.prefill > 0 ? 0 : 1, "steps", settings.steps);
    require_memory(settings);
    return run(settings);
} catch (const std::bad_alloc&) {
    throw std::runtime_error("this machine has not enough memory for a " + settings.kind + " cache of that size");
}

} // namespace headroom
