#include "experiments/implementations.h"

#include "cuda/attention.h"
#include "reference/attention/attention.h"
#include "reference/attention/online.h"
#include "reference/parallel/parallel_attention.h"
#include <algorithm>
#include <stdexcept>
#include <vector>

namespace headroom {

std::vector<Implementation> implementations(const ParallelOptions& parallel)
{
    std::vector<Implementation> list{
        implementation("reference", every_claim(), attention),
        implementation("online", every_claim(), [](const AttentionProblem& p) { return online_attention(p); }),
        parallel_implementation(parallel)};
    for (const std::string_view executor : {"device", "simt", "ptx"})
        if (cuda::why_executor_is_absent(executor).empty())
            for (Implementation& step : cuda::ladder(executor)) list.push_back(std::move(step));
    return list;
}

const Implementation& find(std::span<const Implementation> list, std::string_view name) { return find(list, name, {}); }

const Implementation& find(std::span<const Implementation> list, std::string_view name, std::string_view executor)
{
    std::vector<std::string> known; // each once: a kernel stands there for every executor
    const Implementation* elsewhere = nullptr;
    for (const Implementation& each : list) {
        if (!std::ranges::count(known, each.name)) known.push_back(each.name);
        if (each.name != name) continue;
        if (each.executor == "cpu" && !executor.empty())
            throw std::invalid_argument("--executor is for kernels; '" + each.name + "' is not one");
        if (executor.empty() || executor == "auto" || executor == each.executor) return each;
        elsewhere = &each;
    }
    if (elsewhere)
        throw std::invalid_argument("'" + elsewhere->name + "' does not run on '" + std::string(executor) +
                                    "' here: " + cuda::why_executor_is_absent(executor));
    std::string list_of_names;
    for (const std::string& each : known) list_of_names += (list_of_names.empty() ? "" : ", ") + each;
    throw std::invalid_argument("no implementation is called '" + std::string(name) + "'; there are " + list_of_names);
}

} // namespace headroom
