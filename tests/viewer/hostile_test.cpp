// Files that nobody should have made: each is refused in one line, or what it says can be drawn in every scene.
#include "reference/tensor/files.h"
#include "reference/tensor/random.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "tests/viewer/random_recording.h"
#include "viewer/scenes/scene.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace headroom;

namespace {

void draw_everything(const Recording& recording)
{
    for (const Scene& each : scenes())
        for (const double time : {0.0, 2.5, 1e9})
            for (const Cell& cell :
                 {Cell{}, Cell{Part::output, 1, 2, 0, 1}, Cell{Part::weights, 0, 1, 0, 2}, Cell{Part::slot, 2, 0, 1, 1},
                  Cell{Part::error, 0, 1, 1, 0}, Cell{.part = Part::k}}) {
                View view{.time = time, .hover = cell, .pinned = {}};
                draw(each, recording, view, {0, 0, 1280, 720});
            }
}

std::byte byte_of(char c) { return static_cast<std::byte>(c); }

} // namespace

TEST_CASE("a recording in which digits were changed is refused in one line or drawn")
{
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "bad.safetensors";
    write_recording(random_recording(21), path);
    const std::vector<std::byte> good = read_file(path);
    std::vector<std::size_t> digits; // of the header, which is JSON; behind them numbers
    for (std::size_t i = 8; i < good.size() && digits.size() < 20'000; ++i)
        if (good[i] >= byte_of('0') && good[i] <= byte_of('9')) digits.push_back(i);
    Random random(3);
    int refused = 0, drawn = 0;
    for (int round = 0; round < 60; ++round) {
        std::vector<std::byte> bad = good;
        for (Index i = random.integer(1, 3); i > 0; --i)
            bad[digits[static_cast<std::size_t>(random.integer(0, static_cast<Index>(digits.size()) - 1))]] =
                byte_of(static_cast<char>('0' + random.integer(0, 9)));
        write_file(path, bad);
        try {
            const Recording recording = read_recording(path);
            draw_everything(recording);
            ++drawn;
        } catch (const std::invalid_argument& error) {
            CHECK(std::string(error.what()).find('\n') == std::string::npos);
            ++refused;
        }
    }
    CHECK(refused > 0);
    CHECK(drawn > 0);
}

TEST_CASE("NaN and infinity in place of numbers, and lanes without steps, are drawn")
{
    Recording recording = random_recording(22);
    for (Lane& lane : recording.lanes)
        for (RecordedStep& step : lane.steps)
            for (RecordedLayer& layer : step.layers) {
                for (Tensor* t : {&layer.q, &layer.new_k, &layer.stages.output, &layer.stages.weights})
                    std::ranges::fill(t->values(), std::numeric_limits<double>::quiet_NaN());
                std::ranges::fill(layer.new_v.values(), std::numeric_limits<double>::infinity());
            }
    for (RecordedCheck& check : recording.checks)
        for (RecordedStage& stage : check.stages) std::ranges::fill(stage.got.values(), std::nan(""));
    draw_everything(recording);
    for (Lane& lane : recording.lanes) lane.steps.clear();
    for (Lane& lane : recording.caches) lane.steps.clear();
    draw_everything(recording);
}

TEST_CASE("braces and brackets in names and words from a file are drawn as they are")
{
    const std::string odd = "{} [k|x] {}{} ]";
    Recording recording = random_recording(23);
    recording.title = recording.command = odd;
    for (std::vector<Lane>* lanes : {&recording.lanes, &recording.caches})
        for (Lane& lane : *lanes) lane.name += odd, lane.detail = odd;
    for (RecordedModel& model : recording.models) model.name = model.source = odd;
    for (RecordedCheck& check : recording.checks) {
        check.implementation = check.case_name = check.reason = odd;
        for (RecordedStage& stage : check.stages) {
            stage.reason = odd;
            if (!stage.complaint.empty()) stage.complaint = odd;
        }
    }
    for (TracedStep& kernel : recording.kernels) kernel.step = kernel.idea = odd;
    draw_everything(recording);
    recording.checks.front().stages.clear();
    draw_everything(recording);
}
