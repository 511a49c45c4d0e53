// gpu_bench: what cuda/gpu_check.sh runs on a GPU, each command one JSON object on stdout. With --executor simt the same
// commands run on the host, to see that they work; their times say nothing about a GPU, and the object says so.
#include "cuda/bench/clock.h"
#include "cuda/bench/first.h"
#include "cuda/bench/kernels.h"
#include "cuda/bench/measure.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace headroom;
using namespace headroom::cuda;
using json = nlohmann::ordered_json;

namespace {

struct Settings {
    std::string executor = "device";
    bool tiny = false;
    double seconds = 60;
};

json about(Executor& executor)
{
    const Where here = where(executor);
    return {{"executor", here.executor},
            {"gpu", here.gpu},
            {"capability", {here.major, here.minor}},
            {"multiprocessors", here.multiprocessors}};
}

json first(Executor& executor)
{
    const FirstSteps steps = first_steps(executor);
    json result = about(executor);
    result["kernel"] = steps.kernel;
    result["tensor_map"] = steps.tensor_map;
    return result;
}

json ceilings(Executor& executor, bool tiny)
{
    const std::size_t bytes = tiny ? 1 << 16 : std::size_t{1} << 30;
    BenchShape random{"", 1, 1, 1, 1, static_cast<Index>(bytes / 256), 128, DType::f16, false};
    const BenchProblem numbers(random); // K is as long as the stretch
    const std::span<const std::byte> source{numbers.problem().kv.k.data, bytes};
    const Buffer<std::byte> from(executor, source, "from"), to(executor, bytes, "to");
    const Stretch stretch{from.data(), to.data(), static_cast<Index>(bytes / 16)};
    const unsigned blocks = static_cast<unsigned>(where(executor).multiprocessors) * 8;
    const int launches = tiny ? 2 : 4, samples = tiny ? 1 : 9;
    const double copied = microseconds_each(executor, launches, samples, [&](int) { copy(executor, stretch, blocks); });
    const double was_read =
        microseconds_each(executor, launches, samples, [&](int) { read(executor, stretch, blocks); });
    const double floor = microseconds_each(executor, tiny ? 4 : 200, samples, [&](int) { nothing(executor); });
    const auto rate = [&](double moved, double us) { return moved / us / 1e6; };
    json result = about(executor);
    result["copy_tb_per_s"] = rate(2 * static_cast<double>(bytes), copied);
    result["read_tb_per_s"] = rate(static_cast<double>(bytes), was_read);
    result["empty_launch_us"] = floor;
    return result;
}

json shape_json(const BenchShape& s)
{
    return {{"shape", s.name},    {"B", s.B},           {"H", s.H},        {"Hkv", s.Hkv},
            {"L", s.L},           {"S", s.S},           {"D", s.D},        {"type", std::string(name(s.type))},
            {"causal", s.causal}, {"bytes", s.bytes()}, {"flop", s.flop()}};
}

json table(Executor& executor, const std::vector<BenchShape>& shapes, const Settings& settings)
{
    const auto begin = std::chrono::steady_clock::now();
    json result = about(executor), rows = json::array(), left_out = json::array();
    for (const BenchShape& shape : shapes) {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
        if (passed.count() > settings.seconds) {
            left_out.push_back({{"shape", shape.name}, {"reason", "out of time"}});
            continue;
        }
        const Index working_set = settings.tiny ? 1 : Index{1200} << 20;
        for (const Measured& m : measure(executor, shape, working_set, settings.tiny ? 1 : 15)) {
            json row{{"impl", m.implementation}};
            row.update(shape_json(shape));
            if (m.failure.empty()) {
                row["us"] = m.microseconds;
                row["tb_per_s"] = static_cast<double>(shape.bytes()) / m.microseconds / 1e6;
                row["tflop_per_s"] = static_cast<double>(shape.flop()) / m.microseconds / 1e6;
            } else
                row["failed"] = m.failure;
            rows.push_back(std::move(row));
        }
    }
    result["rows"] = std::move(rows);
    result["left_out"] = std::move(left_out);
    return result;
}

json shapes(bool tiny)
{
    json result{{"decode", json::array()}, {"prefill", json::array()}};
    for (const BenchShape& s : decode_shapes(tiny)) result["decode"].push_back(shape_json(s));
    for (const BenchShape& s : prefill_shapes(tiny)) result["prefill"].push_back(shape_json(s));
    return result;
}

} // namespace

int main(int argc, char** argv)
{
    CLI::App app{"Times the ladder on a GPU, beside the ceilings of that GPU"};
    Settings s;
    app.require_subcommand(1);
    app.add_option("--executor", s.executor)->check(CLI::IsMember({"device", "simt"}))->capture_default_str();
    app.add_flag("--tiny", s.tiny, "sizes for a trial on the host");
    app.add_option("--seconds", s.seconds, "begin no further shape after this long")->capture_default_str();
    app.add_subcommand("first", "a fat binary found by name, one kernel, one tensor map");
    app.add_subcommand("ceilings", "copying, reading, an empty launch");
    app.add_subcommand("decode", "every step on decode shapes");
    app.add_subcommand("prefill", "every step on prefill shapes");
    app.add_subcommand("shapes", "what decode and prefill time");
    CLI11_PARSE(app, argc, argv);
    try {
        const std::string command = app.get_subcommands().front()->get_name();
        json result;
        if (command == "shapes")
            result = shapes(s.tiny);
        else {
            const std::unique_ptr<Executor> executor =
                make_executor(s.executor == "device" ? ExecutorKind::device : ExecutorKind::simt);
            result = command == "first"      ? first(*executor)
                     : command == "ceilings" ? ceilings(*executor, s.tiny)
                     : command == "decode"   ? table(*executor, decode_shapes(s.tiny), s)
                                             : table(*executor, prefill_shapes(s.tiny), s);
        }
        std::puts(result.dump(1).c_str());
    } catch (const std::exception& e) {
        std::fprintf(stderr, "gpu_bench: %s\n", e.what());
        return 1;
    }
}
