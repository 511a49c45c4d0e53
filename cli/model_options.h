// The options that generate, score and their kin share: which model, which cache, which attention.
#pragma once
#include "experiments/models.h"
#include "reference/decoder/generate.h"

namespace CLI {
class App;
}

namespace headroom {

struct ModelOptions {
    std::string model, tokenizer, implementation = "reference", cache = "growing", kv_type = "f32", kv_scale,
                                  calibration, positions = "absolute";
    Index chunk = 0, window = 0, sinks = 0;
    CacheOptions cache_options = {.max_length = 0};
    bool no_cache = false;
    int threads = 0;

    void declare_model(CLI::App& app);
    void declare_cache(CLI::App& app);

    Model load() const { return load_model(model, tokenizer); }
    Backend backend() const;
    GenerationSettings settings(const Model& loaded) const; // cache, type, scales and chunk; the rest is generate's
    std::vector<StaticScales> static_scales(const Model& loaded, DType type, Scaling scaling) const;
};

} // namespace headroom
