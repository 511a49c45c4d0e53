// headroom mla: multi-head latent attention on a real cache, expanded and absorbed, and its bytes beside other caches'.
#include "cli/command.h"

#include "experiments/latent_cache.h"
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace headroom {
namespace {

struct Settings {
    LatentSettings run;
    std::string kv_dtype = "bf16";
    bool json = false;
};

// Double in another order: both computations agree to about a thousand units of the last place.
constexpr double bound = 1e-11;

void print_json(const LatentSettings& s, const LatentRun& run, bool equal)
{
    const LatentGeometry& g = s.geometry;
    nlohmann::ordered_json caches = nlohmann::ordered_json::array();
    for (const CacheSize& c : run.sizes)
        caches.push_back({{"name", c.name},
                          {"stores", c.stores},
                          {"kv_heads", c.kv_heads},
                          {"k_dim", c.k_dim},
                          {"v_dim", c.v_dim},
                          {"bytes_per_token", c.bytes_per_token},
                          {"live_bytes", c.live_bytes}});
    const nlohmann::ordered_json document{{"schema", "headroom.mla/1"},
                                          {"q_heads", g.q_heads},
                                          {"hidden", g.width},
                                          {"q_lora_rank", g.q_rank},
                                          {"kv_lora_rank", g.kv_rank},
                                          {"qk_nope_head_dim", g.nope_dim},
                                          {"qk_rope_head_dim", g.rope_dim},
                                          {"v_head_dim", g.value_dim},
                                          {"layers", s.layers},
                                          {"kv_dtype", name(s.type)},
                                          {"cache", s.kind},
                                          {"tokens", run.tokens},
                                          {"max_difference", run.max_difference},
                                          {"largest_output", run.largest_output},
                                          {"equal", equal},
                                          {"caches", std::move(caches)}};
    fmt::print("{}\n", document.dump(2));
}

void print_text(const LatentSettings& s, const LatentRun& run, bool equal)
{
    const LatentGeometry& g = s.geometry;
    fmt::print("Multi-head latent attention: {} query heads of {} + {} (rope), cached row {} + {}, {} layers, {}\n",
               g.q_heads, g.nope_dim, g.rope_dim, g.kv_rank, g.rope_dim, s.layers, name(s.type));
    fmt::print("{} tokens through a {} cache: |expanded - absorbed| <= {:.2g} of {:.3g}, {}\n\n", run.tokens, s.kind,
               run.max_difference, run.largest_output, equal ? "equal" : "NOT EQUAL");
    fmt::print("{:<13} {:<24} {:>8} {:>6} {:>6} {:>16} {:>9}\n", "cache", "stores", "kv heads", "k dim", "v dim",
               "bytes per token", "of MHA");
    const Index mha = run.sizes.at(2).bytes_per_token;
    for (const CacheSize& c : run.sizes)
        fmt::print("{:<13} {:<24} {:>8} {:>6} {:>6} {:>16} {:>8.1f}%\n", c.name, c.stores, c.kv_heads, c.k_dim,
                   c.v_dim ? std::to_string(c.v_dim) : "in k", c.bytes_per_token,
                   100 * static_cast<double>(c.bytes_per_token) / static_cast<double>(mha));
}

int mla(Settings& s)
{
    s.run.type = dtype_from_name(s.kv_dtype);
    const LatentRun run = run_latent(s.run);
    const bool equal = run.max_difference <= bound * std::max(1.0, run.largest_output);
    if (s.json)
        print_json(s.run, run, equal);
    else
        print_text(s.run, run, equal);
    return equal ? 0 : 1;
}

} // namespace

Action declare_mla(CLI::App& app)
{
    auto s = std::make_shared<Settings>();
    LatentGeometry& g = s->run.geometry;
    const auto number = [&](const char* option, auto& value, const char* meaning) {
        app.add_option(option, value, meaning)->capture_default_str();
    };
    number("--hidden", g.width, "model width");
    number("--heads", g.q_heads, "query heads");
    number("--kv-lora-rank", g.kv_rank, "width of the latent that K and V are made of");
    number("--q-lora-rank", g.q_rank, "width of the queries' bottleneck; 0: none");
    number("--nope", g.nope_dim, "part of a head without position");
    number("--rope", g.rope_dim, "part of a head with position, one key for all heads");
    number("--value-dim", g.value_dim, "numbers in a value");
    number("--kv-heads", s->run.gqa_kv_heads, "KV heads of the GQA cache beside it");
    number("--layers", s->run.layers, "layers, for the bytes");
    number("--prefill", s->run.prefill, "tokens computed at once");
    number("--steps", s->run.steps, "tokens computed one by one");
    number("--cache", s->run.kind, "which cache holds the rows");
    number("--kv-dtype", s->kv_dtype, "f32, f16, bf16, f8e4m3 or i8");
    app.add_flag("--json", s->json, "headroom.mla/1 on stdout");
    return [s] { return mla(*s); };
}

} // namespace headroom
