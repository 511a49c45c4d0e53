#include "cli/wrapped_text.h"

#include <algorithm>

namespace headroom {

constexpr std::size_t line_width = 100;

std::string wrapped(const std::string& text, const std::string& first, const std::string& indent)
{
    std::string out, line = first;
    bool empty = true;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        if (!empty && line.size() + 1 + word.size() > line_width) {
            out += line + "\n";
            line = indent;
            empty = true;
        }
        if (!empty) line += " ";
        line += word;
        empty = false;
        at = end + 1;
    }
    return out + line + "\n";
}

} // namespace headroom
