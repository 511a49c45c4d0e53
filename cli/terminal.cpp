#include "cli/terminal.h"

#include "cli/text.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <string_view>
#include <unistd.h>

namespace headroom {
namespace {

constexpr int line_width = 78;

std::string repeat(std::string_view piece, int times)
{
    std::string text;
    for (int i = 0; i < times; ++i) text += piece;
    return text;
}

} // namespace

Terminal::Terminal()
{
    const char* kind = std::getenv("TERM");
    colour_ = isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR") && !(kind && std::string_view(kind) == "dumb");
}

std::string Terminal::paint(const char* code, const std::string& text) const
{
    return colour_ ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

std::string Terminal::heading(int number, const std::string& title) const
{
    const std::string front = fmt::format(" {}  {} ", number, title);
    return "\n" + dim("──") + strong(front) + dim(repeat("─", line_width - 2 - width_of(front))) + "\n\n";
}

void Terminal::say(const std::string& text) const { fmt::print("  {}\n", dim(text)); }

std::string bar(double value, double largest, int width)
{
    static constexpr std::string_view eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    if (!(largest > 0) || !(value > 0)) return {};
    const int parts = std::max(1, static_cast<int>(std::lround(value / largest * width * 8)));
    return repeat("█", parts / 8) + std::string(eighths[parts % 8]);
}

std::string spark(std::span<const double> values, int width)
{
    static constexpr std::string_view heights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const auto n = static_cast<Index>(values.size());
    const Index columns = std::min<Index>(n, width);
    const double largest = n ? *std::max_element(values.begin(), values.end()) : 0;
    std::string text;
    for (Index column = 0; column < columns; ++column) {
        double here = 0;
        for (Index i = column * n / columns; i < (column + 1) * n / columns; ++i)
            here = std::max(here, values[static_cast<std::size_t>(i)]);
        text += here > 0 ? heights[std::min(7, static_cast<int>(here / largest * 7.999))] : "·";
    }
    return text;
}

} // namespace headroom
