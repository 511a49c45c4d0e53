#include "cli/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace headroom {
namespace {

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

int width_of(const std::string& text)
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

std::string pad_left(const std::string& text, int width)
{
    return std::string(static_cast<std::size_t>(std::max(0, width - width_of(text))), ' ') + text;
}

std::string pad_right(const std::string& text, int width)
{
    return text + std::string(static_cast<std::size_t>(std::max(0, width - width_of(text))), ' ');
}

std::string printable(const std::string& text)
{
    std::string shown;
    for (std::size_t from = 0, size = 0; from < text.size(); from += std::max<std::size_t>(size, 1)) {
        size = character_size(text, from);
        const char c = text[from];
        shown += size > 1 || c == '\n' || (c >= ' ' && c <= '~') ? text.substr(from, size) : "·";
    }
    return shown;
}

std::string wrapped(const std::string& text, const std::string& first, const std::string& indent, int width)
{
    std::string all, line = first, word;
    bool empty = true; // nothing on the line yet but its indent
    const auto end_line = [&] {
        all += line + '\n';
        line = indent;
        empty = true;
    };
    const auto end_word = [&] {
        if (word.empty()) return;
        if (!empty && width_of(line) + 1 + width_of(word) > width) end_line();
        line += (empty ? "" : " ") + word;
        word.clear();
        empty = false;
    };
    for (std::size_t from = 0, size = 0; from < text.size(); from += size) {
        size = std::max<std::size_t>(character_size(text, from), 1);
        if (text[from] == ' ' || text[from] == '\n') {
            end_word();
            if (text[from] == '\n') end_line();
            continue;
        }
        if (width_of(indent) + width_of(word) >= width) end_word(); // longer than a line
        word += text.substr(from, size);
    }
    end_word();
    return empty && !all.empty() ? all : all + line + '\n';
}

} // namespace headroom
