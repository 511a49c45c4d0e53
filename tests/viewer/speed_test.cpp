// How long layouts and files take, printed for a reader: run it by name, test_viewer "[.speed]".
#include "experiments/record_lockstep.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "tests/viewer/random_recording.h"
#include "viewer/scenes/magnitudes.h"
#include <cstdio>
#include <ctime>

using namespace headroom;

namespace {

// Of the processor, so that a busy machine measures the same.
template <class Work> double ms(Work work)
{
    const std::clock_t begin = std::clock();
    work();
    return 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

void print_layouts(const Recording& recording)
{
    View view{.hover = {}, .pinned = {}};
    std::printf("overview %.1f ms\n", ms([&] { view.overview = overview(recording); }));
    for (const Scene& each : scenes()) {
        view.time = 0.7 * static_cast<double>(each.steps(recording, view));
        double best = 1e9;
        for (int i = 0; i < 20; ++i) best = std::min(best, ms([&] { draw(each, recording, view, {0, 0, 1600, 900}); }));
        std::printf("%-8s layout %.2f ms\n", std::string(each.name).c_str(), best);
    }
}

} // namespace

TEST_CASE("layouts of 32 heads, 512 tokens, 128 wide, and of a 500-step file", "[.speed]")
{
    std::puts("32 query heads, 512 tokens, D 128");
    Recording large = record_lockstep(
        {.q_heads = 32, .head_dim = 128, .prompt = 256, .steps = 256, .lanes = {{"mha", 32}, {"gqa", 8}, {"mqa", 1}}});
    const Recording small = random_recording(1);
    large.models = small.models;
    large.checks = small.checks;
    large.kernels = small.kernels;
    print_layouts(large);

    const Recording long_run = record_lockstep({.prompt = 8, .steps = 500});
    const TemporaryFolder folder;
    const double writing = ms([&] { write_recording(long_run, folder.path() / "long"); });
    const double reading = ms([&] { read_recording(folder.path() / "long"); });
    std::printf("500 steps: written in %.0f ms, read in %.0f ms, %.1f MB\n", writing, reading,
                static_cast<double>(std::filesystem::file_size(folder.path() / "long")) / 1e6);
    print_layouts(long_run);
}
