#include "cli/trace_options.h"

namespace headroom {

void declare_trace_options(CLI::App& app, TraceOptions& o)
{
    TraceSettings& s = o.settings;
    app.add_option("--impl", s.implementations, "which steps of the ladder, as a pattern: 'decode/0[1-4]*'")
        ->capture_default_str();
    CLI::Option* output =
        app.add_option("-o,--output", o.out, "safetensors to write: a recording for the viewer's Kernel scene");
    std::vector<CLI::Option*> random{
        app.add_option("--batch", s.batch, "sequences")->capture_default_str(),
        app.add_option("--q-heads", s.q_heads, "query heads")->capture_default_str(),
        app.add_option("--kv-heads", s.kv_heads, "KV heads")->capture_default_str(),
        app.add_option("--head-dim", s.head_dim, "numbers in a row of K and V")->capture_default_str(),
        app.add_option("--keys", s.keys, "keys of each sequence")->capture_default_str(),
        app.add_option("--queries", s.queries, "new tokens")->capture_default_str(),
        app.add_option("--kv-dtype", s.kv_type,
                       "how keys and values are stored; auto: the first type that the step takes")
            ->capture_default_str(),
        app.add_option("--page", s.page, "tokens per page of a paged cache; 0: one block of rows per sequence")
            ->capture_default_str(),
        app.add_option("--seed", s.seed, "of the random queries, keys and values")->capture_default_str()};
    CLI::Option* problem =
        app.add_option("--problem", s.problem, "your tensors instead of random ones: safetensors as for attend");
    for (CLI::Option* option : random) option->excludes(problem);
    CLI::Option* causal = app.add_flag("--causal", o.causal, "a query sees no key behind its own position");
    app.add_option("--align", o.align, "causal: where the queries stand among the keys")
        ->check(CLI::IsMember({"bottom-right", "top-left"}))
        ->capture_default_str()
        ->needs(causal);
    app.add_option("--window", s.options.window, "causal: keys that a query sees, its own included; 0: all");
    app.add_option("--blocks", s.event_blocks, "keep every request of so many blocks of each launch")
        ->capture_default_str()
        ->needs(output);
    app.add_flag("--json", o.json, "the counters as JSON instead of a table");
}

} // namespace headroom
