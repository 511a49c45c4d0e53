// A mistake planted in a kernel's source is found by the Verify scene: the first stage that diverges, and its worst cell.
#include "cuda/executor/simt/simt_executor.h"
#include "cuda/step.h"
#include "experiments/record_checks.h"
#include "reference/verification/recipe.h"
#include "tests/cuda/mutants/planted.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "viewer/scenes/scene.h"
#include <algorithm>

using namespace headroom;
using namespace headroom::cuda;

namespace {

RecordedCheck check_planted(const KernelStep& step, std::string_view name, std::string_view mistake,
                            const TemporaryFolder& folder)
{
    const auto mutant =
        std::ranges::find_if(mutants(), [&](const Mutant& m) { return m.step == name && m.mistake == mistake; });
    REQUIRE(mutant != mutants().end());
    const std::filesystem::path library = folder.path() / "planted.so";
    plant(*mutant, library);
    const PosedProblem posed({.H = 8, .Hkv = 2, .L = 1, .S = 33, .D = 64, .seed = 17});
    const Expected expected(posed.problem());
    SimtExecutor executor(library, {});
    const auto run = step.prepare(executor, posed.problem());
    run->launch();
    const AttentionStages got = run->stages();
    CheckResult result = judge(got, expected, DType::f32);
    result.implementation = std::string(name) + ", " + std::string(mistake);
    result.executor = "simt";
    return recorded_check(result, posed.problem(), got, expected);
}

double number(const Picture& picture, const std::string& what)
{
    const auto found = std::ranges::find(picture.facts, what, &Fact::what);
    REQUIRE(found != picture.facts.end());
    return found->number;
}

void expect_found(const RecordedCheck& check, const std::string& stage_name)
{
    const TemporaryFolder folder;
    Recording written{.title = "planted", .command = "", .lanes = {}};
    written.checks = {check};
    write_recording(written, folder.path() / "planted.safetensors");
    const Recording recording = read_recording(folder.path() / "planted.safetensors");

    const Picture picture = draw(scene("verify"), recording, {.hover = {}, .pinned = {}}, {0, 0, 1600, 900});
    const RecordedStage& stage = *std::ranges::find(check.stages, stage_name, &RecordedStage::stage);
    std::size_t worst = 0;
    const auto error = [&](std::size_t i) { return std::fabs(stage.got.values()[i] - stage.expected.values()[i]); };
    for (std::size_t i = 0; i < stage.got.values().size(); ++i)
        if (error(i) > error(worst)) worst = i;
    CHECK(error(worst) > stage.bound);
    CHECK(number(picture, "worst error, " + stage_name) == error(worst));
    CHECK(number(picture, "kernel's number") == stage.got.values()[worst]);

    // The strip marks this stage and no earlier one; the ring lies on the worst cell.
    const auto mark = std::ranges::find(picture.texts, "first to diverge", &Text::words);
    REQUIRE(mark != picture.texts.end());
    CHECK((mark - 2)->words == stage_name); // name, worst error, verdict
    const auto map = std::ranges::find_if(picture.marks, [&](const Mark& m) {
        return m.kind == Mark::Kind::heatmap &&
               picture.heatmaps[static_cast<std::size_t>(m.heatmap)].first.part == Part::error;
    });
    REQUIRE(map != picture.marks.end());
    const auto columns = static_cast<std::size_t>(stage.expected.shape().back());
    const Heatmap& cells = picture.heatmaps[static_cast<std::size_t>(map->heatmap)];
    const Point centre = cell_rect(map->at, cells, static_cast<std::int32_t>(worst / columns),
                                   static_cast<std::int32_t>(worst % columns))
                             .centre();
    CHECK(std::ranges::any_of(picture.marks, [&](const Mark& m) {
        return m.kind == Mark::Kind::frame && m.ink == Ink::ink && std::fabs(m.at.centre().x - centre.x) < 0.6f &&
               std::fabs(m.at.centre().y - centre.y) < 0.6f;
    }));
}

} // namespace

TEST_CASE("KV heads tiled: the scores are the first to diverge")
{
    const TemporaryFolder folder;
    expect_found(check_planted(decode_01_naive, "decode/01_naive", "KV heads tiled", folder), "masked_scores");
}

TEST_CASE("a sum that is not rescaled: the output is the first that is kept and diverges")
{
    const TemporaryFolder folder;
    expect_found(check_planted(decode_02_online_softmax, "decode/02_online_softmax", "sum not rescaled", folder),
                 "output");
}
