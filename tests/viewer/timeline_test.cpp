// The timeline: steps, phases, playing, speed and scrubbing.
#include "tests/support/catch.h"
#include "tests/viewer/started_app.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

using namespace headroom;

TEST_CASE("the window opens on the last step of Decode, and Home and End go to both ends")
{
    App app = started();
    CHECK(app.state().shown().name == "decode");
    CHECK(last_of(app) > 5);
    CHECK(time_of(app) == last_of(app));
    type(app, Key::home);
    CHECK(time_of(app) == 0);
    type(app, Key::end);
    CHECK(time_of(app) == last_of(app));
    CHECK(app.title() == fmt::format("Headroom · Decode · step {0:g} of {0:g}", last_of(app)));
}

TEST_CASE("arrows step, with Shift they go phase by phase through the same moments")
{
    App app = started();
    type(app, Key::home);
    type(app, Key::right);
    type(app, Key::right);
    CHECK(time_of(app) == 2);
    type(app, Key::left);
    CHECK(time_of(app) == 1);
    const std::size_t phases = app.state().shown().phases().size();
    REQUIRE(phases > 1);
    std::vector<double> there, back;
    for (std::size_t i = 0; i < phases; ++i) {
        there.push_back(time_of(app));
        type(app, Key::right, true);
    }
    CHECK(time_of(app) == Approx(2));
    CHECK(std::ranges::is_sorted(there));
    CHECK(std::ranges::adjacent_find(there) == there.end());
    for (std::size_t i = 0; i < phases; ++i) {
        type(app, Key::left, true);
        back.push_back(time_of(app));
    }
    std::ranges::reverse(back);
    for (std::size_t i = 0; i < phases; ++i) CHECK(back[i] == Approx(there[i]));
}

TEST_CASE("Space plays and pauses, and a step rests before the next one, and the end stops it")
{
    App app = started();
    CHECK(app.seconds_until_change() > 1e9); // idle: it waits for events
    type(app, U' ');                         // at the end: from the beginning
    CHECK(app.state().playing);
    CHECK(time_of(app) == 0);
    CHECK(app.seconds_until_change() == 0);
    app.tick(0.35);
    CHECK(time_of(app) == Approx(0.35 / moving_part));
    app.tick(0.9);
    CHECK(time_of(app) == 1);
    CHECK(app.seconds_until_change() == Approx(0.1));
    type(app, U' ');
    app.tick(5);
    CHECK_FALSE(app.state().playing);
    CHECK(time_of(app) == 1);
    type(app, U' ');
    app.tick(1000);
    CHECK(time_of(app) == last_of(app));
    CHECK_FALSE(app.state().playing);
}

TEST_CASE("a picture is the same whether it was played to or scrubbed to")
{
    App played = started(), scrubbed = started();
    type(played, U' ');
    for (const double now : {0.11, 0.5, 1.37, 2.71, 3.3}) {
        played.tick(now);
        scrubbed.ask({Act::seek, time_of(played)});
        const Picture &a = played.screen().scene, &b = scrubbed.screen().scene;
        REQUIRE(a.marks.size() == b.marks.size());
        for (std::size_t i = 0; i < a.marks.size(); ++i) REQUIRE(a.marks[i].at == b.marks[i].at);
        REQUIRE(a.texts.size() == b.texts.size());
        for (std::size_t i = 0; i < a.texts.size(); ++i) REQUIRE(a.texts[i].words == b.texts[i].words);
    }
}

TEST_CASE("speed doubles and halves without a jump, and reduced motion goes step by step")
{
    App app = started();
    type(app, U' ');
    app.tick(1.2);
    const double before = time_of(app);
    type(app, U']');
    CHECK(app.state().preferences.speed == 2);
    app.tick(1.2);
    CHECK(time_of(app) == Approx(before));
    type(app, U'[');
    type(app, U'[');
    CHECK(app.state().preferences.speed == 0.5);
    type(app, U'M');
    for (double now = 1.2; now < 6; now += 0.17) {
        app.tick(now);
        CHECK(time_of(app) == std::round(time_of(app)));
        CHECK(app.seconds_until_change() > 0);
    }
}

TEST_CASE("the track is scrubbed by dragging, catches whole steps, and lets go outside")
{
    App app = started();
    const Rect track = app.screen().track;
    const float each = track.width() / static_cast<float>(last_of(app));
    app.press(Point{track.x0 + 3.4f * each, track.centre().y});
    CHECK(time_of(app) == Approx(3.4));
    app.point({track.x0 + 5 * each + 2, track.centre().y - 300});
    CHECK(time_of(app) == 5);
    app.point({track.x1 + 500, 0});
    CHECK(time_of(app) == last_of(app));
    app.release();
    app.point({track.x0, track.centre().y});
    CHECK(time_of(app) == last_of(app));
}
