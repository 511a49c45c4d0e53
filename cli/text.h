// Words and numbers for people: units, columns, lines.
#pragma once
#include "reference/tensor/tensor.h"

namespace headroom {

std::string bytes_text(Index bytes);  // "4,096 B", "1.2 MiB"
std::string count_text(Index number); // "1,234,567"

int width_of(const std::string& text);                    // in characters; colour codes take no room
std::string pad_left(const std::string& text, int width); // to the right edge of a column
std::string pad_right(const std::string& text, int width);

std::string printable(const std::string& text); // what is neither text nor a new line becomes "·"

// Lines of at most `width` characters, the indents included; every line ends with a newline.
std::string wrapped(const std::string& text, const std::string& first, const std::string& indent, int width = 100);

} // namespace headroom
