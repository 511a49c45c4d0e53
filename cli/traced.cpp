// headroom-traced: what `headroom trace` starts. Its kernels tell the tracer of every access to memory.
#include "cli/odd_values.h"
#include "cli/refuse.h"
#include "cli/trace_options.h"
#include "cli/trace_output.h"

#include <iostream>

namespace headroom {
namespace {

int trace_and_print(TraceOptions& o, const std::string& command)
{
    o.settings.options.causal = !o.causal               ? Causal::none
                                : o.align == "top-left" ? Causal::top_left
                                                        : Causal::bottom_right;
    if (o.out.empty()) o.settings.event_blocks = 0; // who sees only the counters keeps no request
    Traces traces = trace(o.settings);
    traces.recording.command = command;
    if (!o.out.empty()) write_recording(traces.recording, o.out);
    std::cout << (o.json ? trace_json(traces) : trace_text(traces));
    if (!o.out.empty() && !o.json) std::cout << "  wrote " << o.out << '\n';
    for (const TracedStep& step : traces.recording.kernels)
        for (const KernelTrace& launch : step.launches)
            if (!launch.faults.empty()) return 1;
    return 0;
}

int run(int argc, char** argv)
{
    CLI::App app{"What kernels do to memory; started by headroom trace"};
    app.name("headroom trace");
    TraceOptions options;
    declare_trace_options(app, options);
    refuse_odd_values(app);
    std::string command = "headroom trace";
    for (int i = 1; i < argc; ++i) command += std::string(" ") + argv[i];
    try {
        app.parse(argc, argv);
        const int code = trace_and_print(options, command);
        if (!std::cout.flush()) return refuse("cannot write to standard output");
        return code;
    } catch (const CLI::Success& wanted) {
        return app.exit(wanted);
    } catch (const std::bad_alloc&) {
        return refuse("this does not fit into memory");
    } catch (const std::exception& error) {
        return refuse(error.what());
    }
}

} // namespace
} // namespace headroom

int main(int argc, char** argv) { return headroom::run(argc, argv); }
