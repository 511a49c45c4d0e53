#include "cli/trace_output.h"

#include "cli/terminal.h"
#include "cli/text.h"
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array op_names{"load", "store", "async copy", "barrier", "shuffle", "matrix"};

struct Traffic { // of one buffer, by one launch
    Index bytes_read = 0, bytes_written = 0, sectors = 0, ideal_sectors = 0;
};
Traffic traffic_of(const KernelTrace& launch, int buffer)
{
    Traffic t;
    for (const TracedSite& s : launch.sites) {
        if (s.buffer != buffer) continue;
        (s.op == Op::store ? t.bytes_written : t.bytes_read) += s.bytes;
        t.sectors += s.sectors;
        t.ideal_sectors += s.ideal_sectors;
    }
    return t;
}

Traffic wavefronts_of(const TracedStep& step) // of shared memory: sectors stand for wavefronts
{
    Traffic t;
    for (const KernelTrace& launch : step.launches)
        for (const TracedSite& s : launch.sites) t.sectors += s.wavefronts, t.ideal_sectors += s.ideal_wavefronts;
    return t;
}

std::string times(Index cost, Index ideal)
{
    return ideal ? fmt::format("{:.2f}", static_cast<double>(cost) / static_cast<double>(ideal)) : "-";
}

std::string extents(const std::array<unsigned, 3>& e) { return fmt::format("{} x {} x {}", e[0], e[1], e[2]); }

void print_launch(const KernelTrace& launch, const Terminal& terminal, std::back_insert_iterator<std::string> out)
{
    fmt::format_to(out, "\n  {}   grid {}, block {}\n", launch.step, extents(launch.grid), extents(launch.block));
    fmt::format_to(out, "{}\n",
                   terminal.dim(fmt::format("  {:<28} {:<10} {:<16} {:>9} {:>13} {:>11} {:>8}", "line", "does", "where",
                                            "requests", "bytes", "cost", "x ideal")));
    for (const TracedSite& s : launch.sites) {
        const bool shared = s.buffer < 0;
        const Index cost = shared ? s.wavefronts : s.sectors, ideal = shared ? s.ideal_wavefronts : s.ideal_sectors;
        fmt::format_to(out, "  {:<28} {:<10} {:<16} {:>9} {:>13} {:>11} {:>8}\n",
                       s.file.empty() ? "?" : fmt::format("{}:{}", s.file, s.line),
                       op_names.at(static_cast<std::size_t>(s.op)),
                       shared ? "shared" : launch.buffers.at(static_cast<std::size_t>(s.buffer)).label,
                       count_text(s.requests), count_text(s.bytes), count_text(cost), times(cost, ideal));
    }
    for (const std::string& fault : launch.faults) fmt::format_to(out, "  FAULT {}\n", fault);
}

// The merge, as the first query row of each sequence and KV head sees it.
void print_parts(const TracedStep& step, std::back_insert_iterator<std::string> out)
{
    if (step.parts.empty()) return;
    fmt::format_to(out, "\n  parts that are merged (first query row of each head)\n");
    constexpr std::size_t most = 16;
    for (std::size_t n = 0; n < std::min(most, step.parts.size()); ++n) {
        const KernelPart& p = step.parts[n];
        const Index row = static_cast<Index>(n);
        fmt::format_to(
            out, "  block {:<4} sequence {}, KV head {}, keys {:>5} to {:<5}  max {:>8.3f}  sum {:>8.3f}  {:>5.1f} %\n",
            p.block, p.b, p.hkv, p.from, p.to, step.part_max(row, 0, 0), step.part_sum(row, 0, 0),
            100 * step.part_share(row, 0, 0));
    }
    if (step.parts.size() > most) fmt::format_to(out, "  and {} more\n", step.parts.size() - most);
}

Json launch_json(const KernelTrace& launch)
{
    Json json{{"kernel", launch.step}, {"grid", launch.grid}, {"block", launch.block}};
    for (std::size_t n = 0; n < launch.buffers.size(); ++n) {
        const Traffic t = traffic_of(launch, static_cast<int>(n));
        json["buffers"].push_back({{"label", launch.buffers[n].label},
                                   {"bytes", launch.buffers[n].bytes},
                                   {"bytes_read", t.bytes_read},
                                   {"bytes_written", t.bytes_written},
                                   {"sectors", t.sectors},
                                   {"ideal_sectors", t.ideal_sectors}});
    }
    for (const TracedSite& s : launch.sites)
        json["sites"].push_back(
            {{"file", s.file},
             {"line", s.line},
             {"op", op_names.at(static_cast<std::size_t>(s.op))},
             {"where", s.buffer < 0 ? "shared" : launch.buffers.at(static_cast<std::size_t>(s.buffer)).label},
             {"requests", s.requests},
             {"bytes", s.bytes},
             {"sectors", s.sectors},
             {"ideal_sectors", s.ideal_sectors},
             {"wavefronts", s.wavefronts},
             {"ideal_wavefronts", s.ideal_wavefronts}});
    json["faults"] = launch.faults;
    return json;
}

} // namespace

std::string trace_text(const Traces& traces)
{
    const Terminal terminal;
    std::string text;
    const auto out = std::back_inserter(text);
    for (const TracedStep& step : traces.recording.kernels) {
        const AttentionShape& s = step.shape;
        const Traffic shared = wavefronts_of(step);
        fmt::format_to(out, "{}  {}\n", terminal.strong(step.step), step.idea);
        fmt::format_to(out, "  B {}, H {}, Hkv {}, L {}, S {}, D {}, {}\n", s.B, s.H, s.Hkv, s.L, s.S, s.D,
                       name(step.type));
        fmt::format_to(
            out,
            "  K and V: {} B read, {:.2f} times their bytes; shared memory: {} wavefronts, {} of them bank conflicts\n",
            count_text(bytes_read(step, "k") + bytes_read(step, "v")), bytes_read_per_kv_byte(step),
            count_text(shared.sectors), count_text(shared.sectors - shared.ideal_sectors));
        for (const KernelTrace& launch : step.launches) print_launch(launch, terminal, out);
        print_parts(step, out);
        text += '\n';
    }
    text += "  cost: sectors of 32 bytes of global memory, wavefronts of shared memory; x ideal: over the fewest "
            "possible\n";
    for (const Refusal& r : traces.refused) fmt::format_to(out, "  without {}: {}\n", r.step, r.reason);
    return text;
}

std::string trace_json(const Traces& traces)
{
    Json json{{"schema", "headroom.trace/1"}, {"steps", Json::array()}, {"refused", Json::array()}};
    for (const TracedStep& step : traces.recording.kernels) {
        const auto& [B, H, Hkv, L, S, D, Dv] = step.shape;
        Json entry{{"impl", step.step},
                   {"idea", step.idea},
                   {"shape", {{"B", B}, {"H", H}, {"Hkv", Hkv}, {"L", L}, {"S", S}, {"D", D}, {"Dv", Dv}}},
                   {"dtype", name(step.type)},
                   {"bytes_read_per_kv_byte", bytes_read_per_kv_byte(step)},
                   {"parts", step.parts.size()},
                   {"launches", Json::array()}};
        for (const KernelTrace& launch : step.launches) entry["launches"].push_back(launch_json(launch));
        json["steps"].push_back(std::move(entry));
    }
    for (const Refusal& r : traces.refused) json["refused"].push_back({{"impl", r.step}, {"reason", r.reason}});
    return json.dump(2) + '\n';
}

} // namespace headroom
