#include "cli/refuse.h"

#include <cmath>
#include <cstdlib>
#include <iostream>

namespace headroom {
namespace {

// Why a value is none that a bound from below admits.
std::string below(const std::string& given)
{
    char* rest = nullptr;
    const double number = std::strtod(given.c_str(), &rest);
    if (given.empty() || *rest != '\0') return "'" + given + "' is not a number";
    if (!std::isfinite(number)) return "'" + given + "' is not a finite number";
    return given + (number < 0 ? " is negative" : " is not above 0");
}

// "Value 0 not in range 0.000000 to 17976931348623157…": CLI11 writes out the smallest and the largest double.
void say_the_range(std::string& why)
{
    const std::string value = "Value ", lowest = " not in range 0.000000";
    const auto largest = why.find(" to 17976931348623157");
    if (largest == std::string::npos) return;
    why.replace(largest, std::string::npos, " and above");
    const auto begin = why.find(value), end = why.find(lowest);
    if (begin == std::string::npos || end == std::string::npos) return;
    why.replace(begin, std::string::npos, below(why.substr(begin + value.size(), end - begin - value.size())));
}

} // namespace

int refuse(std::string why)
{
    for (char& c : why)
        if (static_cast<unsigned char>(c) < ' ') c = ' ';
    say_the_range(why);
    std::cerr << "headroom: " << why << '\n';
    return 2;
}

} // namespace headroom
