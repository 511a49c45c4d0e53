#include "cli/odd_values.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>

namespace headroom {
namespace {

// Sizes and counts: two of them can be added, and no machine has more of anything.
constexpr std::int64_t most = std::int64_t{1} << 40;

template <class Number> std::string odd_number(const std::string& text)
{
    Number number;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc::result_out_of_range) return "'" + text + "' is out of range";
    if (error != std::errc() || end != text.data() + text.size())
        return "'" + text + "' is not " + (std::is_integral_v<Number> ? "a whole number" : "a number");
    if constexpr (std::is_floating_point_v<Number>)
        if (!std::isfinite(number)) return "'" + text + "' is not a finite number";
    if constexpr (std::is_same_v<Number, std::int64_t>)
        if (number > most || number < -most) return "'" + text + "' is out of range";
    return {};
}

std::string no_words(const std::string& text) { return text.empty() ? "it is empty" : std::string(); }

bool may_be_empty(const CLI::Option& option)
{
    return option.check_lname("prompt") || option.check_lname("text") || option.check_lname("say") ||
           option.check_lname("pictures");
}

} // namespace

void refuse_odd_values(CLI::App& app)
{
    for (CLI::Option* option : app.get_options([](const CLI::Option*) { return true; })) {
        const std::string type = option->get_type_name(); // INT, UINT, FLOAT or TEXT, then names of checks
        if (type.starts_with("INT")) option->check(odd_number<std::int64_t>, "");
        if (type.starts_with("UINT")) option->check(odd_number<std::uint64_t>, "");
        if (type.starts_with("FLOAT")) option->check(odd_number<double>, "");
        if (type.starts_with("TEXT") && !may_be_empty(*option)) option->check(no_words, "");
    }
}

} // namespace headroom
