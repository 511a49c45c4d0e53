// Mistakes that leave every result right and only cost time: planted, they must show in the tracer's counts, or the
// claims of traffic_test.cpp could not fail.
#include "cuda/executor/tracer/tracing_executor.h"
#include "cuda/step.h"
#include "reference/verification/check.h"
#include "reference/verification/recipe.h"
#include "tests/cuda/mutants/planted.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace headroom;
using namespace headroom::cuda;

namespace {

struct Counts { // of K and V, and of shared memory where a file's lines touch it
    Index sectors = 0, ideal_sectors = 0, wavefronts = 0, ideal_wavefronts = 0;
};

// Runs the step with the mistake in it; its results must be right.
Counts counts(const KernelStep& step, const Mutant& mistake, const Recipe& recipe, std::string_view file)
{
    const TemporaryFolder folder;
    const std::filesystem::path library = folder.path() / "planted.so";
    plant_traced(mistake, library);
    TracingExecutor executor(library);
    const PosedProblem posed(recipe);
    const auto run = step.prepare(executor, posed.problem());
    run->launch();
    const AttentionStages stages = run->stages();
    CHECK(!judge(stages, Expected(posed.problem()), recipe.type).first_diverging());
    Counts c;
    for (const KernelTrace& launch : executor.take())
        for (const TracedSite& site : launch.sites) {
            const std::string label =
                site.buffer < 0 ? "" : launch.buffers[static_cast<std::size_t>(site.buffer)].label;
            if (label == "k" || label == "v") c.sectors += site.sectors, c.ideal_sectors += site.ideal_sectors;
            if (site.space == Space::shared && site.file == file)
                c.wavefronts += site.wavefronts, c.ideal_wavefronts += site.ideal_wavefronts;
        }
    return c;
}

} // namespace

TEST_CASE("lanes that read 32 bytes in two halves move every sector twice, and that is counted")
{
    const Counts c = counts(decode_03_group_vector,
                            {"decode/03_group_vector", "cuda/primitives/eight.h", "a lane's numbers side by side",
                             "e < 4 ? 4 * chunk + e : 4 * (chunks + chunk) + e - 4", "8 * chunk + e"},
                            {.S = 64, .D = 64}, "");
    CHECK(c.ideal_sectors > 0);
    CHECK(c.sectors == 2 * c.ideal_sectors);
}

TEST_CASE("tiles without a swizzle have bank conflicts, and they are counted")
{
    const Counts c =
        counts(decode_06_async_ring,
               {"decode/06_async_ring", "cuda/primitives/swizzle.h", "no swizzle", "(chunk ^ turn)", "chunk"},
               {.S = 64, .D = 64, .type = DType::f16, .q_type = DType::f16}, "tile_products.h");
    CHECK(c.ideal_wavefronts > 0);
    CHECK(c.wavefronts ==
          8 * c.ideal_wavefronts); // a row is 128 bytes: the same chunk of 8 rows lies in the same banks
    CHECK(c.sectors == c.ideal_sectors);
}
