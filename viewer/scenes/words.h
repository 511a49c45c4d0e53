// All words of the scenes, in both languages: the lines of words.inc.
#pragma once
#include "viewer/scenes/scene.h"

namespace headroom {

enum class Words : std::uint8_t {
#define WORDS(key, en, zh) key,
#include "viewer/scenes/words.inc"
#undef WORDS
};
std::string_view words(Words key, Language language);
std::span<const std::string_view> all_words(Language language); // for tests: in the order of the keys

} // namespace headroom
