#include "tests/viewer/texts.h"

#include "tests/support/catch.h"
#include <algorithm>

namespace headroom {

std::string without_facts(const Picture& picture, const Text& text)
{
    std::string bare = text.words;
    for (const int fact : text.facts) {
        const std::string shown = to_text(picture.facts[static_cast<std::size_t>(fact)]);
        REQUIRE(bare.find(shown) != std::string::npos);
        bare.erase(bare.find(shown), shown.size());
    }
    return bare;
}

bool has_digits(std::string_view words)
{
    return std::ranges::any_of(words, [](char c) { return c >= '0' && c <= '9'; });
}

void expect_clear(const Picture& picture, const std::string& what)
{
    std::vector<std::pair<Rect, std::string>> boxes;
    for (const Mark& mark : picture.marks)
        if (mark.kind == Mark::Kind::text)
            boxes.emplace_back(mark.at, picture.texts[static_cast<std::size_t>(mark.text)].words);
    const auto body = [](const Rect& box) { return box.inset(0.3f, 0.12f * box.height()); }; // without its leading
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        INFO(what << ": " << boxes[i].second);
        CHECK(picture.size.contains(boxes[i].first));
        for (std::size_t j = 0; j < i; ++j) {
            INFO("over " << boxes[j].second);
            CHECK_FALSE(body(boxes[i].first).overlaps(body(boxes[j].first)));
        }
    }
}

} // namespace headroom
