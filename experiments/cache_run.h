// Appends random tokens to a real cache and notes what it counts after each step.
#pragma once
#include "reference/kv_cache/paged.h"
#include <optional>
#include <string>

namespace headroom {

struct CacheSettings {
    std::string kind = "growing";
    KvGeometry geometry = {.kv_heads = 4, .head_dim = 64, .value_dim = 64};
    CacheOptions options = {.window = 64}; // each kind reads its own
    Index prefill = 0, steps = 16;         // tokens appended at once, then one by one
    std::uint64_t seed = 1;
};

struct CacheStep {
    Index length; // tokens seen, the same in each sequence
    KvCounters counters;
};

struct CacheRun {
    KvGeometry geometry;          // with its scales
    std::vector<CacheStep> steps; // the prefill's first, where there is one
    std::optional<PageCounters> pages;
};
CacheRun run_cache(const CacheSettings& settings);

// The static scales that a geometry's scaling asks for, from numbers that are not stored later: standard normal ones.
std::vector<StaticScales> calibrated_scales(const KvGeometry& geometry, std::uint64_t seed);

} // namespace headroom
