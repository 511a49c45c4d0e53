#include "reference/planning/gpus.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <stdexcept>

namespace headroom {

constexpr Index giga = 1'000'000'000;

std::span<const Gpu> gpus()
{
#define GPU(name, gigabytes, gigabytes_per_second, source)                                                             \
    Gpu{name, Index{gigabytes} * giga, Index{gigabytes_per_second} * giga, source},
    static constexpr std::array list{
#include "reference/planning/gpus.inc"
    };
#undef GPU
    return list;
}

const Gpu& gpu(std::string_view wanted)
{
    std::string lower(wanted), known;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const Gpu& one : gpus()) {
        if (one.name == lower) return one;
        known += (known.empty() ? "" : ", ") + std::string(one.name);
    }
    throw std::invalid_argument("no GPU named '" + std::string(wanted) + "' (known: " + known +
                                "); --memory and --bandwidth describe any other");
}

} // namespace headroom
