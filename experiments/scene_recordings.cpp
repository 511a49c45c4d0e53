#include "experiments/scene_recordings.h"

#include "cuda/attention.h"
#include "experiments/record_caches.h"
#include "experiments/record_case.h"
#include "experiments/record_checks.h"
#include "experiments/record_kernels.h"
#include "experiments/record_lockstep.h"
#include "experiments/record_models.h"
#include "experiments/record_run.h"
#include <algorithm>
#include <array>
#include <stdexcept>

namespace headroom {
namespace {

struct Chosen {
    const RunSettings& settings;
    Index operator()(std::string_view key, Index otherwise) const
    {
        const auto found = settings.find(key);
        return found == settings.end() ? otherwise : static_cast<Index>(found->second);
    }
};

Recording decode(const Chosen& chosen)
{
    if (chosen("source", 0) == 1) return record_run({}, reference_backend());
    RecordLockstepSettings s;
    s.q_heads = chosen("q_heads", s.q_heads);
    const Index kv_heads = std::min(chosen("kv_heads", 2), s.q_heads);
    s.lanes = {{"mha", s.q_heads}, {"gqa", kv_heads}, {"mqa", 1}};
    s.seed = static_cast<std::uint64_t>(chosen("seed", 1));
    return record_lockstep(s);
}

Recording cache(const Chosen& chosen)
{
    RecordCachesSettings s;
    s.steps = chosen("tokens", s.steps);
    CacheOptions& options = s.options;
    options.max_length = s.steps;
    options.block = chosen("block", options.block);
    options.pool_blocks = (s.steps + options.block - 1) / options.block + 2;
    options.window = chosen("window", options.window);
    options.sinks = chosen("sinks", options.sinks);
    options.initial = std::min(chosen("initial", options.initial), s.steps);
    options.growth = static_cast<double>(chosen("growth", 150)) / 100;
    return record_caches(s);
}

Recording memory()
{
    Recording recording{.title = "Published models", .command = "", .lanes = {}};
    recording.models = known_models();
    return recording;
}

Recording verification(const Chosen& chosen)
{
    Recording recording{.title = "Kernels beside the reference", .command = "", .lanes = {}};
    static constexpr std::array executors{"simt", "ptx", "device"}; // as the scene's control lists them
    const auto which = static_cast<std::size_t>(std::clamp<Index>(chosen("executor", 0), 0, 2));
    const std::string missing = cuda::why_executor_is_absent(executors[which]);
    if (!missing.empty()) throw std::invalid_argument(std::string(executors[which]) + ": " + missing);
    recording.checks = example_checks(chosen("planted", 0) == 1, executors[which]);
    return recording;
}

Recording kernels(const Chosen& chosen)
{
    Recording recording{.title = "Decode steps of the ladder, traced", .command = "", .lanes = {}};
    RecordKernelsSettings s;
    s.keys = chosen("keys", s.keys);
    s.head_dim = chosen("head_dim", s.head_dim);
    static constexpr std::array types{"auto", "f32", "f16", "bf16"}; // as the scene's control lists them
    s.kv_type = types[static_cast<std::size_t>(std::clamp<Index>(chosen("kv_dtype", 0), 0, 3))];
    try {
        recording.kernels = record_kernels(s);
    } catch (const std::runtime_error& missing) { // the scene says that there is nothing, the title why
        recording.title = missing.what();
    }
    return recording;
}

} // namespace

Recording scene_recording(std::string_view scene, const RunSettings& settings)
{
    const Chosen chosen{settings};
    if (scene.starts_with(case_prefix)) return record_case(scene.substr(case_prefix.size()), chosen("sequence", 0));
    Recording recording;
    if (scene == "decode")
        recording = decode(chosen);
    else if (scene == "cache")
        recording = cache(chosen);
    else if (scene == "memory")
        recording = memory();
    else if (scene == "verify")
        recording = verification(chosen);
    else if (scene == "kernel")
        recording = kernels(chosen);
    else
        throw std::invalid_argument("no run is known for the scene '" + std::string(scene) + "'");
    recording.command = "headroom view --scene " + std::string(scene);
    return recording;
}

Recording every_scene(const RunSettings& settings)
{
    Recording all = scene_recording("decode", settings);
    all.title = "A run of every scene";
    all.caches = scene_recording("cache", settings).caches;
    all.models = known_models();
    all.checks = scene_recording("verify", settings).checks;
    all.kernels = scene_recording("kernel", settings).kernels;
    return all;
}

} // namespace headroom
