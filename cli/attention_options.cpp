#include "cli/attention_options.h"

#include <CLI/CLI.hpp>

namespace headroom {

std::vector<CLI::Option*> AttentionChoice::declare(CLI::App& app)
{
    CLI::Option* is_causal = app.add_flag("--causal", causal, "a query sees no key behind its own position");
    return {is_causal,
            app.add_option("--align", align, "causal: where the queries stand among the keys")
                ->check(CLI::IsMember({"bottom-right", "top-left"}))
                ->capture_default_str()
                ->needs(is_causal),
            app.add_option("--window", rest.window, "causal: keys that a query sees, its own included; 0: all"),
            app.add_option("--sinks", rest.sinks, "first tokens that stay visible behind the window"),
            app.add_option("--softcap", rest.soft_cap, "scores become cap * tanh(score / cap); 0: as they are"),
            app.add_option("--scale", rest.scale, "factor of q k; default 1/sqrt(D)")};
}

AttentionOptions AttentionChoice::options() const
{
    AttentionOptions all = rest;
    all.causal = !causal ? Causal::none : align == "top-left" ? Causal::top_left : Causal::bottom_right;
    return all;
}

} // namespace headroom
