// Sizes as people write and read them.
#include "reference/planning/gpus.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <locale>
#include <sstream>
#include <stdexcept>

namespace headroom {
namespace {

struct Unit {
    std::string_view name;
    double bytes;
};
constexpr std::array units{Unit{"EiB", 0x1p60},       Unit{"PiB", 0x1p50},    Unit{"TiB", 1099511627776.0},
                           Unit{"GiB", 1073741824.0}, Unit{"MiB", 1048576.0}, Unit{"KiB", 1024.0},
                           Unit{"TB", 1e12},          Unit{"GB", 1e9},        Unit{"MB", 1e6},
                           Unit{"kB", 1e3},           Unit{"B", 1.0}};

Index parse_size(const std::string& text, std::string_view ending, const std::string& what)
{
    const std::string problem = what + " '" + text +
                                "' must be a positive number with a unit: EiB PiB TiB GiB MiB KiB (powers of "
                                "1024) or TB GB MB kB B (powers of 1000)" +
                                (ending.empty() ? "" : " per second, as 900GB/s");
    std::istringstream in(text);
    in.imbue(std::locale::classic());
    double number = 0;
    std::string unit, rest;
    const bool begins = !text.empty() && (text[0] == '.' || (text[0] >= '0' && text[0] <= '9')); // not with + or space
    if (!begins || !(in >> number >> unit) || (in >> rest) || !std::isfinite(number) || number <= 0)
        throw std::invalid_argument(problem);
    if (!unit.ends_with(ending)) throw std::invalid_argument(problem);
    unit = unit.substr(0, unit.size() - ending.size());
    for (const Unit& known : units)
        if (unit == known.name) {
            const double bytes = std::floor(number * known.bytes);
            if (bytes < 1 || bytes >= 9.2e18) throw std::invalid_argument(problem + ", below 2^63 bytes");
            return static_cast<Index>(bytes);
        }
    throw std::invalid_argument(problem);
}

} // namespace

Memory parse_memory(const std::string& text) { return {parse_size(text, "", "memory"), text}; }
Index parse_bandwidth(const std::string& text) { return parse_size(text, "/s", "bandwidth"); }

std::string size_text(Index bytes)
{
    if (bytes < 0) return fmt::format("-{}", size_text(-bytes));
    for (const Unit& unit : units) {
        if (unit.name == "TB") break;
        const double count = static_cast<double>(bytes) / unit.bytes;
        if (count < 1) continue;
        if (count == std::floor(count) && count < 10000) return fmt::format("{:.0f} {}", count, unit.name);
        return fmt::format("{:.{}f} {}", count, count < 10 ? 2 : count < 100 ? 1 : 0, unit.name);
    }
    return fmt::format("{} B", bytes);
}

} // namespace headroom
