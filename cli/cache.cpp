// headroom cache: appends tokens to a real cache and prints its counters step by step.
#include "cli/command.h"
#include "cli/needs.h"

#include "experiments/cache_run.h"
#include "experiments/storage_error.h"
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace headroom {
namespace {

struct Settings {
    CacheSettings run;
    std::string kv_dtype = "f32", kv_scale;
    bool json = false, errors = false;
};

StorageError error_of(const KvGeometry& g, std::uint64_t seed)
{
    return storage_error(
        g.type, g.scaling,
        {.q_heads = g.kv_heads, .kv_heads = g.kv_heads, .head_dim = g.head_dim, .queries = 4, .seed = seed});
}

struct ChoiceError {
    DType type;
    Scaling scaling;
    StorageError error;
};

std::vector<ChoiceError> errors_of_all(KvGeometry g, std::uint64_t seed)
{
    std::vector<ChoiceError> all;
    for (const auto& [type, scaling] : storage_choices()) {
        g.type = type;
        g.scaling = scaling;
        all.push_back({type, scaling, error_of(g, seed)});
    }
    return all;
}

void print_json(const CacheSettings& s, const CacheRun& run, bool errors)
{
    nlohmann::ordered_json steps = nlohmann::ordered_json::array();
    for (const auto& [length, c] : run.steps)
        steps.push_back({{"length", length},
                         {"live_bytes", c.live},
                         {"reserved_bytes", c.reserved},
                         {"copied_bytes", c.copied},
                         {"peak_bytes", c.peak},
                         {"allocations", c.allocations}});
    const StorageError error = error_of(run.geometry, s.seed);
    nlohmann::ordered_json document{
        {"schema", "headroom.cache/1"},
        {"kind", s.kind},
        {"batch", run.geometry.sequences},
        {"layers", run.geometry.layers},
        {"kv_heads", run.geometry.kv_heads},
        {"head_dim", run.geometry.head_dim},
        {"kv_dtype", name(run.geometry.type)},
        {"kv_scale", name(run.geometry.scaling)},
        {"relative_rms_against_f32", {{"k", error.k}, {"v", error.v}, {"output", error.output}}},
        {"steps", std::move(steps)}};
    if (errors)
        for (const auto& [type, scaling, e] : errors_of_all(run.geometry, s.seed))
            document["storage_errors"].push_back(
                {{"kv_dtype", name(type)}, {"kv_scale", name(scaling)}, {"k", e.k}, {"v", e.v}, {"output", e.output}});
    if (run.pages)
        document["pages"] = {{"blocks", run.pages->blocks},
                             {"free_blocks", run.pages->free_blocks},
                             {"shared_blocks", run.pages->shared_blocks},
                             {"wasted_rows", run.pages->wasted_rows}};
    fmt::print("{}\n", document.dump(2));
}

void print_table(const CacheSettings& s, const CacheRun& run)
{
    const KvGeometry& g = run.geometry;
    fmt::print("{} cache: batch {}, layers {}, KV heads {}, head_dim {}, {}, scales: {}\n", s.kind, g.sequences,
               g.layers, g.kv_heads, g.head_dim, name(g.type), name(g.scaling));
    fmt::print("{:>8} {:>14} {:>14} {:>14} {:>14} {:>12} {:>8}\n", "length", "live bytes", "reserved", "copied", "peak",
               "allocations", "unused");
    for (const auto& [length, c] : run.steps)
        fmt::print("{:>8} {:>14} {:>14} {:>14} {:>14} {:>12} {:>7.1f}%\n", length, c.live, c.reserved, c.copied, c.peak,
                   c.allocations, 100 * (1 - static_cast<double>(c.live) / static_cast<double>(c.reserved)));
    if (run.pages)
        fmt::print("pages: {} blocks, {} free, {} shared, {} rows of used blocks without a token\n", run.pages->blocks,
                   run.pages->free_blocks, run.pages->shared_blocks, run.pages->wasted_rows);
    const StorageError error = error_of(g, s.seed);
    fmt::print("relative RMS error against f32 storage, standard normal numbers: K {:.3g}, V {:.3g}, output {:.3g}\n",
               error.k, error.v, error.output);
}

void print_errors(const KvGeometry& geometry, std::uint64_t seed)
{
    fmt::print("{:<8} {:<20} {:>10} {:>10} {:>10}   relative RMS against f32, standard normal numbers\n", "dtype",
               "scales", "K", "V", "output");
    for (const auto& [type, scaling, e] : errors_of_all(geometry, seed))
        fmt::print("{:<8} {:<20} {:>10.2e} {:>10.2e} {:>10.2e}\n", name(type), name(scaling), e.k, e.v, e.output);
}

int cache(Settings& s, const CLI::App& app)
{
    need_kinds(app, "--kind", s.run.kind);
    need(app, {"--max"}, s.run.options.pool_blocks == 0, "no --pool, whose blocks are the limit where it is given");
    need(app, {"--window", "--sinks", "--chunk"}, s.run.kind == "ring", "--kind ring");
    KvGeometry& g = s.run.geometry;
    g.type = dtype_from_name(s.kv_dtype);
    g.scaling = s.kv_scale.empty() ? Scaling::none : scaling_from_name(s.kv_scale);
    g.value_dim = g.head_dim;
    const CacheRun run = run_cache(s.run);
    if (s.json)
        print_json(s.run, run, s.errors);
    else
        print_table(s.run, run);
    if (s.errors && !s.json) print_errors(run.geometry, s.run.seed);
    return 0;
}

} // namespace

Action declare_cache(CLI::App& app)
{
    auto s = std::make_shared<Settings>();
    std::string kinds;
    for (const CacheKind& kind : cache_kinds()) kinds += fmt::format("\n    {:<13} {}", kind.name, kind.idea);
    KvGeometry& g = s->run.geometry;
    CacheOptions& o = s->run.options;
    const auto number = [&](const char* option, auto& value, const char* meaning) {
        app.add_option(option, value, meaning)->capture_default_str();
    };
    number("--kind", s->run.kind, ("one of" + kinds).c_str());
    number("--batch", g.sequences, "sequences");
    number("--layers", g.layers, "layers");
    number("--kv-heads", g.kv_heads, "key/value heads");
    number("--head-dim", g.head_dim, "numbers in a key, and in a value");
    number("--kv-dtype", s->kv_dtype, "f32, f16, bf16, f8e4m3 or i8");
    app.add_option("--kv-scale", s->kv_scale,
                   "scales of 8-bit types: per-tensor, per-head, per-channel (of K), per-head-and-token (the default)");
    number("--prefill", s->run.prefill, "tokens appended at once before the steps: the first entry");
    number("--steps", s->run.steps, "tokens appended one by one: an entry each");
    number("--max", o.max_length, "preallocated, growing, paged: most tokens of a sequence");
    number("--initial", o.initial, "growing: tokens of the first allocation");
    number("--factor", o.growth, "growing: how much larger a full cache becomes");
    number("--block", o.block, "paged: tokens of a block");
    number("--pool", o.pool_blocks, "paged: blocks in the pool; 0: enough for all sequences at --max");
    number("--window", o.window, "ring: newest tokens that stay");
    number("--sinks", o.sinks, "ring: first tokens that stay");
    number("--chunk", o.longest_append, "ring: most tokens taken at once; a longer prefill comes in pieces");
    number("--seed", s->run.seed, "of the random numbers that are stored");
    app.add_flag("--errors", s->errors, "also the accuracy of every storage type with every scaling");
    app.add_flag("--json", s->json, "headroom.cache/1 on stdout");
    return [s, &app] { return cache(*s, app); };
}

} // namespace headroom
