// Every planted mistake must be found by a named check: a stage that diverges, a fault that the executor reports, or bits
// that depend on the order of threads. Prints the table; HEADROOM_MUTANTS=06_async tries those whose step contains that.
#include "cuda/executor/simt/simt_executor.h"
#include "cuda/step.h"
#include "reference/verification/cases.h"
#include "reference/verification/check.h"
#include "tests/cuda/mutants/planted.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

using namespace headroom;
using namespace headroom::cuda;

namespace {

const KernelStep& step_called(std::string_view name)
{
#define STEP(folder, file)                                                                                             \
    if (name == #folder "/" #file) return folder##_##file;
#include "cuda/ladder.inc"
#undef STEP
    throw std::invalid_argument("no step is called " + std::string(name));
}

struct Posed {
    std::string name;
    PosedProblem problem;
    Expected expected;
    explicit Posed(const Case& from) : name(from.name), problem(from.recipe), expected(problem.problem()) {}
};

// The quick cases first, for most mistakes show there; made when they are needed, kept for the next mutant.
Posed& posed(std::size_t n)
{
    static const std::vector<const Case*> order = [] {
        std::vector<const Case*> list;
        for (const bool quick : {true, false})
            for (const Case& each : cases())
                if (each.quick == quick && each.recipe.type != DType::f64) list.push_back(&each);
        return list;
    }();
    static std::map<std::size_t, Posed> made;
    return made.try_emplace(n, *order.at(n)).first->second;
}

// Which check finds the mistake, and where; empty: none.
std::string killer(const Mutant& mutant, const std::filesystem::path& library)
{
    const KernelStep& step = step_called(mutant.step);
    using enum simt::Schedule;
    const std::size_t count = static_cast<std::size_t>(
        std::ranges::count_if(cases(), [](const Case& c) { return c.recipe.type != DType::f64; }));
    for (const simt::Schedule schedule : {forward, random, reverse, ahead, behind})
        for (const simt::Copies copies : {simt::Copies::lazy, simt::Copies::eager})
            for (std::size_t n = 0; n < count; ++n) {
                Posed& each = posed(n);
                if (!why_not(step.claims, each.problem.problem()).empty()) continue;
                try {
                    SimtExecutor executor(library, {.schedule = schedule, .seed = 1, .copies = copies});
                    const auto run = step.prepare(executor, each.problem.problem());
                    for (int launch = 0; launch < 2; ++launch) { // what the first leaves behind must not matter
                        run->launch();
                        const CheckResult result =
                            judge(run->stages(), each.expected, each.problem.problem().kv.k.type);
                        if (const Comparison* c = result.first_diverging()) return c->stage + " diverges: " + each.name;
                    }
                } catch (const Unsupported&) {
                } catch (const std::exception& fault) {
                    const std::string what = fault.what();
                    return "fault: " + what.substr(0, what.find('\n')).substr(0, 90);
                }
            }
    return {};
}

} // namespace

TEST_CASE("every planted mistake is found")
{
    const char* only = std::getenv("HEADROOM_MUTANTS"); // part of a step's name
    const TemporaryFolder folder;
    int number = 0;
    for (const Mutant& mutant : mutants()) {
        if (only && mutant.step.find(only) == mutant.step.npos) continue;
        const std::filesystem::path library = folder.path() / ("mutant" + std::to_string(++number) + ".so");
        plant(mutant, folder.path(), library);
        const std::string found = killer(mutant, library);
        std::printf("%-26s %-38s %s\n", std::string(mutant.step).c_str(), std::string(mutant.mistake).c_str(),
                    found.empty() ? "SURVIVED" : found.c_str());
        std::fflush(stdout);
        CHECK(!found.empty());
    }
    CHECK((only || number >= 30));
}
