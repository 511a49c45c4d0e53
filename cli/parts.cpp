#include "cli/parts.h"

#include <charconv>

namespace headroom {

std::vector<std::string> parts(std::string_view text, char between)
{
    std::vector<std::string> list(1);
    for (const char c : text)
        if (c == between)
            list.emplace_back();
        else
            list.back() += c;
    return list;
}

std::optional<Index> whole_number(std::string_view text, Index least, Index most)
{
    Index number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < least || number > most) return {};
    return number;
}

} // namespace headroom
