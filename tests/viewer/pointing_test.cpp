// Pointing, pinning and following: what lies under the pointer, and where a click leads.
#include "tests/support/catch.h"
#include "tests/viewer/started_app.h"
#include "viewer/picture/neighbour.h"
#include "viewer/scenes/verify_choice.h"
#include <algorithm>

using namespace headroom;

namespace {

double number(const Picture& picture, std::string_view what)
{
    const auto found = std::ranges::find(picture.facts, what, &Fact::what);
    REQUIRE(found != picture.facts.end());
    return found->number;
}

const Mark& word_of(const Picture& picture, Part part) // the first that names this tensor
{
    const auto found = std::ranges::find_if(picture.marks, [&](const Mark& m) {
        return m.kind == Mark::Kind::text && names_tensor(m.cell) && m.cell.part == part;
    });
    REQUIRE(found != picture.marks.end());
    return *found;
}

} // namespace

TEST_CASE("pointing lights a cell up, a click pins it, arrows walk it, Escape lets it go")
{
    App app = started();
    const Cell wanted{Part::output, 1, 2, 0, 1};
    const auto at = place_of(app.screen().scene, wanted);
    REQUIRE(at);
    app.point(at->centre());
    CHECK(app.state().hover == wanted);
    CHECK(app.title().ends_with("output,1,2,0,1"));
    click(app, at->centre());
    CHECK(app.state().desk().pinned == wanted);
    const double time = time_of(app);
    type(app, Key::right);
    CHECK(app.state().desk().pinned == Cell{Part::output, 1, 2, 0, 2});
    type(app, Key::down);
    CHECK(app.state().desk().pinned == Cell{Part::output, 1, 3, 0, 2});
    for (int i = 0; i < 20; ++i) type(app, Key::left);
    CHECK(app.state().desk().pinned == Cell{Part::output, 1, 3, 0, 0});
    CHECK(time_of(app) == time);
    const Picture& picture = app.screen().scene; // the inspector shows it
    CHECK(std::ranges::any_of(picture.texts,
                              [](const Text& t) { return t.words.find("output[h 3") != std::string::npos; }));
    type(app, Key::escape);
    CHECK(app.state().desk().pinned == Cell{});
    type(app, Key::left);
    CHECK(time_of(app) == time - 1);
}

TEST_CASE("moving the pointer within a cell asks for no new picture")
{
    App app = started();
    const auto at = place_of(app.screen().scene, {Part::k, 0, 2, 1, 1});
    REQUIRE(at);
    app.point(at->centre());
    CHECK(app.changed());
    app.screen();
    app.point({at->centre().x + 0.5f, at->centre().y});
    CHECK_FALSE(app.changed());
}

TEST_CASE("what a key or a click changes has to be shown again")
{
    App app = started();
    app.screen();
    CHECK_FALSE(app.changed());
    type(app, Key::home);
    CHECK(app.changed());
    app.screen();
    CHECK_FALSE(app.changed());
    click(app, spot_of(app, Act::theme).at.centre());
    CHECK(app.changed());
}

TEST_CASE("pointing at a word lights its tensor up, in the commentary and in the words of the walk")
{
    App app = started();
    app.point(word_of(app.screen().scene, Part::v).at.centre());
    CHECK(app.state().hover == Cell{.part = Part::v});
    CHECK(app.title().ends_with(" · v"));
    const auto& marks = app.screen().scene.marks;
    CHECK(std::ranges::any_of(marks, [](const Mark& m) { return m.kind == Mark::Kind::heatmap && m.opacity < 1; }));

    type(app, U'W');
    app.point(word_of(app.screen().bars, Part::q).at.centre());
    CHECK(app.state().hover == Cell{.part = Part::q});
    app.point({1, 1});
    CHECK(app.state().hover == Cell{});
}

TEST_CASE("the chapter below the commentary says how it is read")
{
    App app = started();
    for (std::size_t i = 0; i < scenes().size(); ++i) {
        app.ask({Act::scene, static_cast<double>(i)});
        const auto& spots = app.screen().spots;
        const auto link = std::ranges::find(spots, Act::chapter, [](const Spot& s) { return s.request.act; });
        INFO(scenes()[i].name);
        REQUIRE(link != spots.end());
        CHECK(link->request.value >= 1);
        const std::string command = "tutorial " + std::to_string(static_cast<int>(link->request.value));
        click(app, link->at.centre());
        CHECK(app.state().message.find(command) != std::string::npos);
    }
}

TEST_CASE("a click in Verify opens the check's problem in Decode, at the worst cell and with the reference's number")
{
    App app = started();
    type(app, U'5');
    for (const double check : {0.0, 5.0}) {
        app.ask({Act::scene, 4});
        app.ask({Act::seek, check});
        const double expected = number(app.screen().scene, "reference's number");
        const auto pointed = pointed_error(*app.state().desk().recording, app.state().view());
        REQUIRE(pointed);
        click(app, spot_of(app, Act::open_case).at.centre());
        CHECK(app.state().message == "");
        REQUIRE(app.state().shown().name == "decode");
        const Cell pinned = app.state().desk().pinned;
        CHECK(pinned.part == Part::output);
        CHECK(pinned.head == pointed->index.at(1));
        CHECK(pinned.column == pointed->index.at(3));
        const Picture& picture = app.screen().scene;
        CHECK(std::ranges::any_of(picture.facts, [&](const Fact& f) {
            return f.what.starts_with("output[h " + std::to_string(pinned.head)) && f.number == expected;
        }));
        CHECK(number(picture, "sum of the terms") == Approx(expected).margin(1e-12));
    }
    click(app, spot_of(app, Act::source).at.centre()); // and back to the scene's own run
    CHECK(app.state().desk().recording->lanes.size() == 3);
    app.ask({Act::scene, 4});
    app.ask({Act::open_case});
    REQUIRE(app.state().desk().recording->lanes.size() == 1);
    type(app, U'W');
    CHECK(app.state().desk().recording->lanes.size() == 3);
}
