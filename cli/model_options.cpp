#include "cli/model_options.h"

#include "cli/command.h"
#include "cli/needs.h"
#include "experiments/implementations.h"
#include "reference/decoder/calibration.h"
#include <stdexcept>

namespace headroom {
namespace {

bool is_fixed(Scaling scaling) { return scaling != Scaling::none && scaling != Scaling::per_head_and_token; }

} // namespace

void ModelOptions::declare_model(CLI::App& app)
{
    app.add_option(
        "--model", model,
        "checkpoint (llama2.c or safetensors), or a built-in one: gqa, mha, mqa (headroom models lists all)");
    app.add_option("--tokenizer", tokenizer, "its tokenizer, in llama2.c's format; default: tokenizer.bin beside it");
}

void ModelOptions::declare_cache(CLI::App& app)
{
    given = &app;
    std::string kinds;
    for (const CacheKind& kind : cache_kinds()) kinds += (kinds.empty() ? "" : ", ") + std::string(kind.name);
    CLI::Option* kind = app.add_option("--cache", cache, "kind of cache: " + kinds)->capture_default_str();
    app.add_option("--kv-dtype", kv_type, "how keys and values are stored: f32, f16, bf16, f8e4m3, i8")
        ->capture_default_str();
    app.add_option("--kv-scale", kv_scale,
                   "scales of 8-bit types: per-head-and-token (the default); static: per-tensor, per-head, per-channel "
                   "(of K)");
    app.add_option("--calibrate", calibration, "text from whose keys and values static scales are taken");
    CLI::Option* none = app.add_flag("--no-cache", no_cache, "compute all tokens again at each step")->excludes(kind);
    app.add_option("--chunk", chunk, "prompt tokens per pass; 0: all at once")->check(CLI::NonNegativeNumber);
    app.add_option("--window", window, "keys that a query sees, its own included; 0: all")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--sinks", sinks, "first tokens that stay visible behind the window")->check(CLI::NonNegativeNumber);
    app.add_option("--positions", positions,
                   "ring: a key stands where its token stood in the text (absolute), or where it lies in the cache "
                   "(in-cache, StreamingLLM: the text may then be longer than the model's context)")
        ->capture_default_str();
    for (CLI::Option* of_a_cache :
         {app.add_option("--initial", cache_options.initial, "growing: tokens of the first allocation")
              ->check(CLI::PositiveNumber)
              ->capture_default_str(),
          app.add_option("--factor", cache_options.growth, "growing: what the capacity is multiplied by")
              ->capture_default_str(),
          app.add_option("--max", cache_options.max_length,
                         "most tokens that the cache may hold; default: the model's context")
              ->check(CLI::PositiveNumber),
          app.add_option("--block", cache_options.block, "paged: tokens per block")
              ->check(CLI::PositiveNumber)
              ->capture_default_str()})
        of_a_cache->excludes(none);
    app.add_option("--impl", implementation, "what computes the attention; parallel: the matrix products, too")
        ->capture_default_str();
    app.add_option("--threads", threads, "parallel: how many; default: one for each core")->check(CLI::Range(1, 1024));
}

Backend ModelOptions::backend() const
{
    need(*given, {"--threads"}, implementation == "parallel", "--impl parallel");
    const ParallelOptions parallel{.threads = threads};
    Backend backend = implementation == "parallel" ? parallel_backend(parallel) : reference_backend();
    if (implementation != "parallel") {
        const std::vector<Implementation> list = implementations(parallel);
        backend.attention = [chosen = find(list, implementation)](const AttentionProblem& problem) {
            return run(chosen, problem);
        };
    }
    if (sinks > 0 && window == 0) throw std::invalid_argument("--sinks needs --window");
    backend.options.window = window;
    backend.options.sinks = sinks;
    return backend;
}

std::vector<StaticScales> ModelOptions::static_scales(const Model& loaded, DType type, Scaling scaling) const
{
    if (!is_fixed(scaling)) return {};
    if (calibration.empty())
        throw std::invalid_argument("the scales " + std::string(name(scaling)) +
                                    " are fixed beforehand: --calibrate must give a text to take them from");
    return calibrated_scales(loaded.decoder, loaded.tokenizer.encode(calibration), type, scaling, reference_backend());
}

GenerationSettings ModelOptions::settings(const Model& loaded) const
{
    GenerationSettings settings{.chunk = chunk};
    const DType type = dtype_from_name(kv_type);
    const bool in_cache = positions == "in-cache";
    if (!in_cache && positions != "absolute")
        throw std::invalid_argument("positions '" + positions + "' are unknown; known are absolute, in-cache");
    if (in_cache && (no_cache || cache != "ring"))
        throw std::invalid_argument("--positions in-cache needs --cache ring");
    need(*given, {"--kv-scale"}, !no_cache, "a cache");
    if (!no_cache) need_kinds(*given, "--cache", cache);
    const Scaling scaling = kv_scale.empty() ? Scaling::none : scaling_from_name(kv_scale);
    need(*given, {"--calibrate"}, is_fixed(scaling) || every_storage,
         "a --kv-scale that is fixed beforehand: per-tensor, per-head or per-channel");
    if (in_cache && !calibration.empty())
        throw std::invalid_argument(
            "static scales are taken from keys that RoPE has turned: not with in-cache positions");
    if (no_cache) {
        settings.cache.reset();
        settings.recomputed_type = type;
    } else {
        settings.cache = CacheChoice{.kind = cache, .type = type, .options = cache_options};
        CacheOptions& options = settings.cache->options;
        if (options.max_length == 0) options.max_length = loaded.decoder.config.max_length;
        options.window = window;
        options.sinks = sinks;
        if (in_cache) options.positions = RingPositions::in_cache;
        settings.cache->scaling = scaling;
        settings.cache->scales = static_scales(loaded, type, settings.cache->scaling);
    }
    return settings;
}

void SamplingOptions::declare_steps(CLI::App& app, const std::string& per_what)
{
    app.add_option("--steps", steps, "new tokens per " + per_what)
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
}

void SamplingOptions::declare(CLI::App& app)
{
    given = &app;
    app.add_option("--temperature", temperature, "0: always the most likely token")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_option("--top-p", top_p, "choose among the likeliest tokens that together have this probability")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    app.add_option("--seed", seed, "of the choice")->capture_default_str();
}

void SamplingOptions::write_to(GenerationSettings& settings) const
{
    need(*given, {"--top-p", "--seed"}, temperature > 0, "--temperature above 0");
    settings.steps = steps;
    settings.temperature = temperature;
    settings.top_p = top_p;
    settings.seed = seed;
}

} // namespace headroom
