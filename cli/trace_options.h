// The options of `headroom trace`: the same for the command and for headroom-traced, which it starts.
#pragma once
#include "experiments/trace_settings.h"
#include <CLI/CLI.hpp>

namespace headroom {

struct TraceOptions {
    TraceSettings settings;
    std::string out; // empty: no file
    std::string align = "bottom-right";
    bool causal = false, json = false;
};
void declare_trace_options(CLI::App& app, TraceOptions& options);

} // namespace headroom
