#include "tests/cuda/mutants/hunt.h"

#include "cuda/executor/simt/poison.h"
#include "cuda/step.h"
#include "reference/verification/cases.h"
#include "reference/verification/check.h"
#include "tests/cuda/support/cache_checks.h"
#include "tests/cuda/support/far_rows.h"
#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace headroom {
namespace {

using namespace cuda;
using simt::Copies, simt::Schedule;

struct Order {
    const char* name;
    simt::Options options;
};
const std::array orders{
    Order{"forward", {.schedule = Schedule::forward}},
    Order{"forward, eager copies", {.schedule = Schedule::forward, .copies = Copies::eager}},
    Order{"reverse", {.schedule = Schedule::reverse}},
    Order{"reverse, eager copies", {.schedule = Schedule::reverse, .copies = Copies::eager}},
    Order{"ahead", {.schedule = Schedule::ahead}},
    Order{"ahead, eager copies", {.schedule = Schedule::ahead, .copies = Copies::eager}},
    Order{"behind", {.schedule = Schedule::behind}},
    Order{"behind, eager copies", {.schedule = Schedule::behind, .copies = Copies::eager}},
    Order{"random", {.schedule = Schedule::random, .seed = 1}},
    Order{"random, eager copies", {.schedule = Schedule::random, .seed = 1, .copies = Copies::eager}},
};

const KernelStep& step_called(std::string_view name)
{
#define STEP(folder, file)                                                                                             \
    if (name == #folder "/" #file) return folder##_##file;
#include "cuda/ladder.inc"
#undef STEP
    throw std::invalid_argument("no step is called " + std::string(name));
}

struct Listed {
    std::string name;
    Recipe recipe;
    bool quick;
    std::optional<FarAxis> far = {};
};

// Kernels compute in float, so the cases in double are left out. The quick ones first: most mistakes show there. Behind
// them, for offsets, rows that lie far apart.
const std::vector<Listed>& list()
{
    static const std::vector<Listed> made = [] {
        std::vector<Listed> all;
        const auto add = [&](bool quick) {
            for (const Case& each : cases())
                if (each.quick == quick && each.recipe.type != DType::f64)
                    all.push_back({each.name, each.recipe, quick});
        };
        add(true);
        for (const DType type : {DType::f32, DType::f16, DType::i8})
            for (const auto& [axis, what] :
                 {std::pair{FarAxis::sequence, "sequences"}, {FarAxis::head, "heads"}, {FarAxis::key, "keys"}})
                all.push_back({std::string(what) + " 16 GiB apart, " + std::string(name(type)),
                               two_of_each(type, type == DType::i8 ? DType::f16 : type), true, axis});
        add(false);
        return all;
    }();
    return made;
}

struct Posed {
    PosedProblem compact;
    std::optional<FarRows> far;
    Expected expected;

    explicit Posed(const Listed& from)
        : compact(from.recipe),
          far(from.far ? std::optional<FarRows>(std::in_place, compact.problem(), *from.far) : std::nullopt),
          expected(problem())
    {}
    const AttentionProblem& problem() const { return far ? far->problem() : compact.problem(); }
};
const Posed& posed(std::size_t number) // made when it is needed, kept for the next mutant
{
    static std::map<std::size_t, Posed> made;
    return made.try_emplace(number, list().at(number)).first->second;
}

// "append" of "kv_cache/append", which has one check of its own (cache_checks.h) in place of the steps' cases; else nothing.
std::string_view cache_kernel(std::string_view name)
{
    constexpr std::string_view folder = "kv_cache/";
    return name.starts_with(folder) ? name.substr(folder.size()) : std::string_view();
}

// Without the kernel's and the thread's name, and without who waits where.
std::string gist(std::string fault)
{
    fault = fault.substr(0, fault.find('\n'));
    const std::size_t at = fault.find(": ");
    const std::string before = fault.substr(0, at);
    const bool names_kernel = before.find(' ') == before.npos || before.find(", block (") != before.npos;
    return at != fault.npos && names_kernel ? fault.substr(at + 2) : fault;
}

} // namespace

std::string name_of_order(const Trial& trial) { return orders.at(trial.order).name; }
std::string name_of_case(std::string_view step, const Trial& trial)
{
    return cache_kernel(step).empty() ? list().at(trial.number).name : "its meaning in words";
}

std::string wrong(std::string_view name, const std::filesystem::path& library, const Trial& trial)
{
    if (const std::string_view kernel = cache_kernel(name); !kernel.empty()) try {
            const simt::Options& options = orders.at(trial.order).options;
            SimtExecutor executor = library.empty() ? SimtExecutor(options) : SimtExecutor(library, options);
            return wrong_with_cache_kernel(kernel, executor);
        } catch (const std::exception& fault) {
            return gist(fault.what());
        }
    const KernelStep& step = step_called(name);
    const Posed& each = posed(trial.number);
    const AttentionProblem& problem = each.problem();
    if (!why_not(step.claims, problem).empty()) return {};
    try {
        const simt::Options& options = orders.at(trial.order).options;
        const auto made = library.empty() ? std::make_unique<FarExecutor<SimtExecutor>>(options)
                                          : std::make_unique<FarExecutor<SimtExecutor>>(library, options);
        SimtExecutor& executor = *made;
        const auto run = step.prepare(executor, problem);
        for (const char* which : {"", ", at the second launch"}) { // what the first leaves behind must not matter
            for (const std::string_view answer : {"output", "lse"}) simt::poison(executor.memory(), answer);
            run->launch();
            const CheckResult result = judge(run->stages(), each.expected, problem.kv.k.type);
            if (const Comparison* c = result.first_diverging()) return c->stage + " diverges" + which;
        }
    } catch (const Unsupported&) {
    } catch (const std::exception& fault) {
        return gist(fault.what());
    }
    return {};
}

Finding hunt(std::string_view step, const std::filesystem::path& library)
{
    if (!cache_kernel(step).empty()) {
        for (std::size_t order = 0; order < orders.size(); ++order)
            if (const std::string what = wrong(step, library, {order, 0}); !what.empty()) return {what, {order, 0}};
        return {};
    }
    const auto quick = static_cast<std::size_t>(std::ranges::count(list(), true, &Listed::quick));
    for (const auto& [begin, end] : {std::pair<std::size_t, std::size_t>{0, quick}, {quick, list().size()}})
        for (std::size_t order = 0; order < orders.size(); ++order)
            for (std::size_t number = begin; number < end; ++number)
                if (const std::string what = wrong(step, library, {order, number}); !what.empty())
                    return {what, {order, number}};
    return {};
}

} // namespace headroom
