#include "experiments/implementations.h"

#include "reference/attention/attention.h"
#include "reference/attention/online.h"
#include <algorithm>
#include <stdexcept>

namespace headroom {

std::vector<Implementation> implementations()
{
    return {implementation("reference", every_claim(), attention),
            implementation("online", every_claim(), [](const AttentionProblem& p) { return online_attention(p); })};
}

const Implementation& find(std::span<const Implementation> list, std::string_view name)
{
    const auto found = std::ranges::find(list, name, &Implementation::name);
    if (found != list.end()) return *found;
    std::string known;
    for (const Implementation& each : list) known += (known.empty() ? "" : ", ") + each.name;
    throw std::invalid_argument("no implementation is called '" + std::string(name) + "'; there are " + known);
}

} // namespace headroom
