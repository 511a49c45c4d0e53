// What tests ask of all texts of a picture.
#pragma once
#include "viewer/picture/picture.h"

namespace headroom {

// A text without the numbers that are facts. Fails the test if one of them does not stand in it as it is printed.
std::string without_facts(const Picture& picture, const Text& text);
bool has_digits(std::string_view words);

// No text overlaps another or leaves the picture. `what`: said when one does.
void expect_clear(const Picture& picture, const std::string& what);

} // namespace headroom
