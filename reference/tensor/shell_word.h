// One word of a command for a POSIX shell, whatever it holds: spaces, quotes, dollars.
#pragma once
#include <string>

namespace headroom {

inline std::string shell_word(const std::string& word)
{
    std::string out = "'";
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

} // namespace headroom
