// Breaks a sentence into lines of at most 100 characters.
#pragma once
#include <string>

namespace headroom {

std::string wrapped(const std::string& text, const std::string& first,
                    const std::string& indent); // ends with a newline

} // namespace headroom
