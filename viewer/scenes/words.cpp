#include "viewer/scenes/words.h"

#include <array>
#include <optional>
#include <vector>

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

struct Written {
    std::string_view english, chinese;
};
constexpr std::array written_lines{
#define WRITTEN(en, zh) Written{en, zh},
#include "viewer/scenes/written.inc"
#undef WRITTEN
};

// What stands in place of each {}, if the words are like the pattern.
std::optional<std::vector<std::string_view>> blanks(std::string_view pattern, std::string_view words)
{
    std::vector<std::string_view> found;
    for (;;) {
        const std::size_t brace = pattern.find("{}");
        const std::string_view literal = pattern.substr(0, brace);
        const std::size_t at = words.find(literal);
        if (at == std::string_view::npos || (found.empty() && at > 0)) return {};
        if (!found.empty()) found.back() = words.substr(0, at);
        words.remove_prefix(at + literal.size());
        if (brace == std::string_view::npos) break;
        pattern.remove_prefix(brace + 2);
        found.push_back(words);
        if (pattern.empty()) return found;
    }
    if (!words.empty()) return {};
    return found;
}

} // namespace

std::string translated(std::string_view written, Language language)
{
    if (language == Language::zh)
        for (const Written& line : written_lines)
            if (const auto parts = blanks(line.english, written)) {
                std::string said(line.chinese);
                std::size_t from = 0;
                for (const std::string_view part : *parts) {
                    from = said.find("{}", from);
                    said.replace(from, 2, part);
                    from += part.size();
                }
                return said;
            }
    return std::string(written);
}

std::span<const std::string_view> all_words(Language language)
{
    return language == Language::zh ? std::span<const std::string_view>(chinese) : english;
}
std::string_view words(Words key, Language language) { return all_words(language)[static_cast<std::size_t>(key)]; }

} // namespace headroom
