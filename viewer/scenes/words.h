// All words of the scenes, in both languages: the lines of words.inc.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace headroom {

enum class Language : std::uint8_t { en, zh };

enum class Words : std::uint16_t {
#define WORDS(key, en, zh) key,
#include "viewer/scenes/words.inc"
#undef WORDS
};
std::string_view words(Words key, Language language);
std::span<const std::string_view> all_words(Language language); // for tests: in the order of the keys

// What a recording says in English, in the reader's language if a line of written.inc knows it; else as it is.
std::string translated(std::string_view written, Language language);

} // namespace headroom
