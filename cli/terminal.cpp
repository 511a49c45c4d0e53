#include "cli/terminal.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <string_view>
#include <unistd.h>

namespace headroom {
namespace {

constexpr int line_width = 78;

int width_of(const std::string& text) // characters; colour codes take no room
{
    int width = 0;
    bool code = false;
    for (const char c : text) {
        if (c == '\033')
            code = true;
        else if (code)
            code = c != 'm';
        else
            width += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }
    return width;
}

std::string repeat(std::string_view piece, int times)
{
    std::string text;
    for (int i = 0; i < times; ++i) text += piece;
    return text;
}

// Bytes of the UTF-8 character that begins here; 0: none does.
std::size_t character_size(const std::string& text, std::size_t at)
{
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t size = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
    if (at + size > text.size()) return 0;
    for (std::size_t i = 1; i < size; ++i)
        if ((static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80) return 0;
    return size;
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

std::string bytes_text(Index bytes)
{
    if (bytes < 10'000) return count_text(bytes) + " B";
    const char* unit = "KiB";
    double value = static_cast<double>(bytes) / 1024;
    for (const char* next : {"MiB", "GiB"})
        if (value >= 1024) {
            value /= 1024;
            unit = next;
        }
    return fmt::format("{:.1f} {}", value, unit);
}

std::string count_text(Index number)
{
    std::string digits = std::to_string(number);
    for (Index at = static_cast<Index>(digits.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
        digits.insert(static_cast<std::size_t>(at), 1, ',');
    return digits;
}

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

std::string pad_left(const std::string& text, int width)
{
    return std::string(static_cast<std::size_t>(std::max(0, width - width_of(text))), ' ') + text;
}

std::string pad_right(const std::string& text, int width)
{
    return text + std::string(static_cast<std::size_t>(std::max(0, width - width_of(text))), ' ');
}

std::string flowing_text(const std::string& text, int width, const std::string& indent)
{
    std::string all, line;
    const auto finish = [&] {
        all += indent + line + '\n';
        line.clear();
    };
    for (std::size_t from = 0, size = 0; from < text.size(); from += size) {
        size = character_size(text, from);
        const char c = text[from];
        if (c == '\n' || (c == ' ' && width_of(line) > width - 8))
            finish();
        else
            line += size > 1 || (c >= ' ' && c <= '~') ? text.substr(from, size) : "·";
        size = std::max<std::size_t>(size, 1);
        if (width_of(line) >= width) finish();
    }
    if (!line.empty()) finish();
    return all;
}

} // namespace headroom
