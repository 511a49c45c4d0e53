#include "viewer/picture/fact.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace headroom {
namespace {

std::string three_digits(double x)
{
    const double size = std::fabs(x);
    return fmt::format("{:.{}f}", x, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

std::string with_thousands(double whole)
{
    std::string digits = fmt::format("{:.0f}", std::fabs(whole));
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), ",");
    return (whole < 0 ? "-" : "") + digits;
}

std::string plain_number(double x)
{
    if (std::isnan(x)) return "NaN";
    if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
    const double size = std::fabs(x);
    if (x == 0) return "0";
    if (size < 1e-3 || size >= 1e6) return fmt::format("{:.2e}", x);
    return fmt::format("{:.{}f}", x, size >= 100 ? 1 : size >= 10 ? 2 : 4);
}

} // namespace

std::string bytes_to_text(double bytes)
{
    static constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    std::size_t unit = 0;
    while (std::fabs(bytes) >= 1024 && unit + 1 < units.size()) {
        bytes /= 1024;
        ++unit;
    }
    return (unit == 0 ? fmt::format("{:.0f}", bytes) : three_digits(bytes)) + " " + units[unit];
}

std::string to_text(const Fact& fact)
{
    switch (fact.unit) {
    case Unit::none: return plain_number(fact.number);
    case Unit::count: return with_thousands(fact.number);
    case Unit::index: return fmt::format("{:.0f}", fact.number);
    case Unit::bytes: return bytes_to_text(fact.number);
    case Unit::percent: return three_digits(fact.number) + " %";
    case Unit::milliseconds: return plain_number(fact.number) + " ms";
    case Unit::per_second: return plain_number(fact.number) + " /s";
    }
    return {};
}

std::string origin_name(Fact::Origin origin)
{
    switch (origin) {
    case Fact::Origin::measured: return "measured";
    case Fact::Origin::computed: return "computed";
    case Fact::Origin::illustration: return "illustration";
    }
    return {};
}

} // namespace headroom
