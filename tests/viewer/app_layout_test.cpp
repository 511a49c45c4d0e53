// The words of the window around the scenes: none overlaps, none is cut, every number is a fact.
#include "tests/support/catch.h"
#include "tests/viewer/started_app.h"
#include "tests/viewer/texts.h"

using namespace headroom;

TEST_CASE("no words of the window overlap or leave it, in every scene, size, language and overlay")
{
    for (const auto& [width, height] : {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{2560, 1440}})
        for (const double scale : {0.8, 1.0, 1.2})
            for (const Language language : {Language::en, Language::zh}) {
                App app = started({.language = language, .text_scale = scale, .width = width, .height = height});
                if (language == Language::zh) type(app, U'Z');
                const auto check = [&](const Picture& picture) {
                    expect_clear(picture, app.title() + " " + std::to_string(scale));
                };
                for (std::size_t i = 0; i < scenes().size(); ++i) {
                    app.ask({Act::scene, static_cast<double>(i)});
                    check(app.screen().bars);
                }
                type(app, U'?');
                check(app.screen().overlay);
                type(app, U'?');
                type(app, U'W');
                while (app.state().stop) {
                    check(app.screen().bars);
                    type(app, Key::enter);
                }
            }
}

TEST_CASE("every number on the window's bars is a fact")
{
    App app = started();
    type(app, U'W');
    for (const Text& text : app.screen().bars.texts) {
        INFO(text.words);
        CHECK_FALSE(has_digits(without_facts(app.screen().bars, text)));
    }
}
