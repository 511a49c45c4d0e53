#include "reference/planning/gpus.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>
#include <utility>

namespace headroom {
namespace {

constexpr Index giga = 1'000'000'000;

// "NVIDIA GeForce RTX 4090" -> "rtx4090".
std::string plain(std::string_view name)
{
    std::string letters;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)))
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const std::string_view maker : {"nvidia", "amd", "geforce", "tesla", "instinct"})
        if (letters.starts_with(maker)) letters.erase(0, maker.size());
    return letters;
}

std::string_view name_behind(std::string_view alias)
{
#define ALIAS(other, name) std::pair<std::string_view, std::string_view>{other, name},
    static constexpr std::array list{
#include "reference/planning/gpu_aliases.inc"
    };
#undef ALIAS
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& pair) { return pair.first == alias; });
    return found == list.end() ? alias : found->second;
}

// All names, or those that begin as asked for: "a100" comes with 40 and with 80 GB.
std::string names_that_begin(const std::string& start)
{
    std::string names;
    for (const Gpu& one : gpus())
        if (plain(one.name).starts_with(start)) names += (names.empty() ? "" : ", ") + std::string(one.name);
    return names;
}

} // namespace

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
    const std::string asked = plain(wanted), name = plain(name_behind(asked));
    for (const Gpu& one : gpus())
        if (plain(one.name) == name) return one;
    const std::string forms = asked.empty() ? "" : names_that_begin(asked);
    if (!forms.empty()) throw std::invalid_argument("'" + std::string(wanted) + "' may mean " + forms + ": which?");
    throw std::invalid_argument("no GPU named '" + std::string(wanted) + "' (known: " + names_that_begin("") +
                                "); --memory and --bandwidth describe any other");
}

} // namespace headroom
