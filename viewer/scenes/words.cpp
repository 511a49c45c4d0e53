#include "viewer/scenes/words.h"

#include <array>

namespace headroom {
namespace {

constexpr std::array english{
#define WORDS(key, en, zh) std::string_view(en),
#include "viewer/scenes/words.inc"
#undef WORDS
};
constexpr std::array chinese{
#define WORDS(key, en, zh) std::string_view(zh),
#include "viewer/scenes/words.inc"
#undef WORDS
};

} // namespace

std::span<const std::string_view> all_words(Language language)
{
    return language == Language::zh ? std::span<const std::string_view>(chinese) : english;
}
std::string_view words(Words key, Language language) { return all_words(language)[static_cast<std::size_t>(key)]; }

} // namespace headroom
