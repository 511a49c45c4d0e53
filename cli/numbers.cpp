#include "cli/numbers.h"

#include <charconv>
#include <cstdint>
#include <string>
#include <type_traits>

namespace headroom {
namespace {

template <class Number> std::string complaint(const std::string& text)
{
    Number number;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc::result_out_of_range) return "'" + text + "' is out of range";
    if (error != std::errc() || end != text.data() + text.size())
        return "'" + text + "' is not " + (std::is_integral_v<Number> ? "a whole number" : "a number");
    return {};
}

} // namespace

void refuse_odd_numbers(CLI::App& app)
{
    for (CLI::Option* option : app.get_options([](const CLI::Option*) { return true; })) {
        const std::string type = option->get_type_name(); // begins with INT, UINT or FLOAT, then names of checks
        if (type.starts_with("INT")) option->check(complaint<std::int64_t>, "");
        if (type.starts_with("UINT")) option->check(complaint<std::uint64_t>, "");
        if (type.starts_with("FLOAT")) option->check(complaint<double>, "");
    }
}

} // namespace headroom
