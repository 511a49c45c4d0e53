#include "experiments/implementations.h"

#include "reference/attention/attention.h"
#include <algorithm>
#include <stdexcept>

namespace headroom {

std::vector<Implementation> implementations()
{
    const Claims everything{.causal = true,
                            .window = true,
                            .sinks = true,
                            .soft_cap = true,
                            .bias = true,
                            .mask = true,
                            .sink_logits = true,
                            .ragged = true,
                            .block_table = true,
                            .eviction = true,
                            .scales = true,
                            .value_dim_differs = true};
    return {implementation("reference", everything, attention)};
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
