// The options that generate, chat, score and their kin share: which model, which cache, which attention, which token next.
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
    bool no_cache = false,
         every_storage = false; // every_storage: each type and scaling in turn, as score --storage does
    int threads = 0;
    const CLI::App* given = nullptr; // which of these were said

    void declare_model(CLI::App& app);
    void declare_cache(CLI::App& app);

    Model load() const { return load_model(model, tokenizer); }
    Backend backend() const;
    GenerationSettings
    settings(const Model& loaded) const; // cache, type, scales and chunk; the rest is SamplingOptions'
    std::vector<StaticScales> static_scales(const Model& loaded, DType type, Scaling scaling) const;
};

struct SamplingOptions { // how the next token is chosen, and how many of them
    Index steps = 64;
    double temperature = 0, top_p = 1;
    std::uint64_t seed = 1;
    const CLI::App* given = nullptr;

    void declare_steps(CLI::App& app, const std::string& per_what);
    void declare(CLI::App& app);
    void write_to(GenerationSettings& settings) const;
};

} // namespace headroom
