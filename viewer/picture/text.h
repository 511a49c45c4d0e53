// How wide words are, known without any font at hand: layouts, SVG files and tests agree on every machine.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

enum class Face : std::uint8_t { sans, bold, mono }; // Inter, Inter Semi Bold, JetBrains Mono
enum class Align : std::uint8_t { left, centre, right };

float text_width(std::string_view utf8, Face face, float size); // of one line; size in pixels per em
constexpr float text_ascent = 0.78f, text_descent = 0.22f;      // of the size, above and below the base line
constexpr float text_cap_height = 0.73f;

char32_t take_code_point(std::string_view& utf8); // off the front; U+FFFD for what is not UTF-8
bool is_closing(char32_t code);                   // punctuation that must not begin a line
bool is_wide(char32_t code);                      // Chinese characters and their punctuation: as wide as high

// Breaks at spaces, and between any two Chinese characters (but not before their closing punctuation).
std::vector<std::string> wrap(std::string_view utf8, Face face, float size, float width);
std::string shorten(std::string_view utf8, Face face, float size, float width); // ends in … if it does not fit

} // namespace headroom
