#include "viewer/scenes/controls.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace headroom {
namespace {

double highest(const Control& c)
{
    if (c.kind == Control::Kind::number) return c.most;
    return c.kind == Control::Kind::toggle ? 1 : static_cast<double>(std::max<std::size_t>(1, c.choices.size()) - 1);
}

std::string what_is_allowed(const Control& c)
{
    if (c.kind == Control::Kind::toggle) return "on or off";
    if (c.kind == Control::Kind::number)
        return "a whole number from " + std::to_string(static_cast<long long>(c.least)) + " to " +
               std::to_string(static_cast<long long>(c.most));
    std::string list;
    for (const std::string& choice : c.choices) list += (list.empty() ? "" : ", ") + choice;
    return "one of " + list;
}

} // namespace

double setting(const Settings& settings, const Control& control)
{
    const auto found = settings.find(control.key);
    const double wanted = found == settings.end() ? control.initial : found->second;
    const double lowest = control.kind == Control::Kind::number ? control.least : 0;
    return std::isfinite(wanted) ? std::clamp(std::round(wanted), lowest, highest(control)) : control.initial;
}

bool matters(const Control& control, const std::vector<Control>& all, const Settings& settings)
{
    const auto other = std::ranges::find(all, control.only_with, &Control::key);
    return other == all.end() || setting(settings, *other) == 0;
}

void set(Settings& settings, const Control& control, std::string_view value)
{
    double number = -1;
    if (control.kind == Control::Kind::toggle) {
        if (value == "on" || value == "off") number = value == "on" ? 1 : 0;
    } else if (control.kind == Control::Kind::choice) {
        const auto found = std::ranges::find(control.choices, value);
        if (found != control.choices.end()) number = static_cast<double>(found - control.choices.begin());
    } else {
        long long whole = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), whole);
        const double read = static_cast<double>(whole);
        if (error == std::errc() && end == value.data() + value.size() && read >= control.least && read <= control.most)
            number = read;
    }
    if (number < 0)
        throw std::invalid_argument("'" + std::string(control.key) + "' is " + what_is_allowed(control) + ", not '" +
                                    std::string(value) + "'");
    settings[std::string(control.key)] = number;
}

} // namespace headroom
