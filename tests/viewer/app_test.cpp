// The window without a window: every key and button is pressed, everything under the pointer is read back.
#include "experiments/scene_recordings.h"
#include "reference/tensor/files.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "viewer/app/app.h"
#include "viewer/app/walk.h"
#include "viewer/picture/neighbour.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

using namespace headroom;

namespace {

App started(Preferences preferences = {})
{
    preferences.language = Language::en;
    App app([](std::string_view scene, const Settings& settings) { return scene_recording(scene, settings); },
            preferences);
    app.resize(static_cast<float>(preferences.width), static_cast<float>(preferences.height), 11);
    app.tick(0);
    return app;
}

void type(App& app, char32_t code, bool shift = false, bool ctrl = false) { app.press(Key{code, shift, ctrl}); }
void click(App& app, Point at)
{
    app.press(at);
    app.release();
}
const Spot& spot_of(App& app, Act act, double value = 0)
{
    const auto& spots = app.screen().spots;
    const auto found =
        std::ranges::find_if(spots, [&](const Spot& s) { return s.request.act == act && s.request.value == value; });
    REQUIRE(found != spots.end());
    return *found;
}
double time_of(const App& app) { return app.state().desk().time; }
double last_of(const App& app) { return app.state().last(); }

} // namespace

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

TEST_CASE("numbers lead to scenes, and each keeps its place and its pin")
{
    App app = started();
    app.ask({Act::seek, 3});
    for (std::size_t i = 1; i < scenes().size(); ++i) {
        type(app, U'1' + static_cast<char32_t>(i));
        CHECK(app.state().shown().name == scenes()[i].name);
        CHECK_FALSE(app.screen().scene.marks.empty());
    }
    type(app, U'1');
    CHECK(time_of(app) == 3);
    type(app, U'9');
    CHECK(app.state().shown().name == "decode");
    click(app, spot_of(app, Act::scene, 1).at.centre());
    CHECK(app.state().shown().name == "cache");
}

TEST_CASE("what the controls change is run again with the new setting")
{
    App app = started();
    const std::vector<Control> controls = app.state().shown().controls(*app.state().desk().recording);
    const auto heads = std::ranges::find(controls, "q_heads", &Control::key);
    REQUIRE(heads != controls.end());
    const auto before = app.state().desk().recording;
    const double now = setting({}, *heads);
    const auto index = static_cast<std::size_t>(heads - controls.begin());
    const auto& spots = app.screen().spots;
    const auto more = std::ranges::find_if(spots, [&](const Spot& s) {
        return s.request.act == Act::control && s.request.index == index && s.request.value > now;
    });
    REQUIRE(more != spots.end());
    const double wanted = more->request.value;
    click(app, more->at.centre());
    REQUIRE(app.state().desk().recording != before);
    CHECK(app.state().message == "");
    CHECK(static_cast<double>(app.state().desk().recording->lanes.front().q_heads) == wanted);
}

TEST_CASE("theme, language, size and scale are preferences, and a file remembers them")
{
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "deep" / "viewer.json";
    App app = started();
    const float em = app.state().em();
    type(app, U'D');
    type(app, U'Z');
    type(app, U'L');
    type(app, U'+', false, true);
    CHECK(app.state().em() > em);
    const Preferences& p = app.state().preferences;
    CHECK(p.dark);
    CHECK(p.language == Language::zh);
    CHECK_FALSE(p.logarithmic);
    remember(p, path);
    CHECK(remembered(path) == p);
    type(app, U'0', false, true);
    CHECK(app.state().em() == em);

    write_file(path, R"({"dark": 3, "speed": -1, "width": 1e99, "text_scale": "large", "chinese": true})");
    Preferences usual = remembered(folder.path() / "none.json");
    usual.language = Language::zh;
    CHECK(remembered(path) == usual);
    write_file(path, "{ broken");
    CHECK(remembered(path) == remembered(folder.path() / "none.json"));
}

TEST_CASE("a dropped recording is shown where it fits, a broken one leaves a message and all as it was")
{
    const TemporaryFolder folder;
    App app = started();
    Recording recording = scene_recording("decode", {{"q_heads", 4}});
    recording.title = "mine";
    write_recording(recording, folder.path() / "mine.safetensors");
    app.open(folder.path() / "mine.safetensors");
    CHECK(app.state().desk().from_file);
    CHECK(app.state().desk().recording->title == "mine");
    click(app, spot_of(app, Act::source).at.centre());
    CHECK_FALSE(app.state().desk().from_file);
    click(app, spot_of(app, Act::source).at.centre());
    CHECK(app.state().desk().from_file);

    write_file(folder.path() / "broken.safetensors", "no recording");
    app.open(folder.path() / "broken.safetensors");
    CHECK(app.state().message.find("broken.safetensors") != std::string::npos);
    CHECK(app.state().desk().recording->title == "mine");
    app.open(folder.path() / "absent.safetensors");
    CHECK(app.state().message.find("absent.safetensors") != std::string::npos);
    CHECK_FALSE(app.screen().overlay.marks.empty());
}

TEST_CASE("the help lists every key, covers the rest, and closes")
{
    App app = started();
    type(app, U'?');
    REQUIRE(app.state().help);
    for (const KeyLine& line : key_lines())
        CHECK(std::ranges::any_of(app.screen().overlay.texts, [&](const Text& t) { return t.words == line.keys; }));
    const double time = time_of(app);
    click(app, app.screen().track.centre());
    CHECK(time_of(app) == time);
    CHECK_FALSE(app.state().help);
    type(app, U'?');
    type(app, Key::escape);
    CHECK_FALSE(app.state().help);
}

TEST_CASE("no two keys are the same, and every key does something")
{
    std::vector<Key> seen;
    for (const KeyLine& line : key_lines())
        for (const auto& [key, request] : line.requests) {
            CHECK(std::ranges::find(seen, key) == seen.end());
            CHECK(request_of(key) == request);
            seen.push_back(key);
        }
    CHECK_FALSE(request_of(Key{U'X'}));
}

TEST_CASE("the walk leads through its stops and back out, and each stop lights a cell that is there")
{
    App app = started();
    type(app, U'W');
    REQUIRE(app.state().stop == std::size_t{0});
    REQUIRE(stops().size() >= 10);
    for (std::size_t i = 0; i < stops().size(); ++i) {
        INFO("stop " << i + 1);
        REQUIRE(app.state().stop == i);
        CHECK(app.state().shown().name == stops()[i].scene);
        CHECK(time_of(app) == std::min(stops()[i].time, last_of(app)));
        const Cell& lit = stops()[i].lit;
        if (lit.part != Part::none)
            CHECK(app.state().shown().has(*app.state().desk().recording, app.state().view(), lit));
        type(app, Key::enter);
    }
    CHECK_FALSE(app.state().stop);
    type(app, U'W');
    click(app, spot_of(app, Act::walk_on).at.centre());
    click(app, spot_of(app, Act::walk_back).at.centre());
    CHECK(app.state().stop == std::size_t{0});
    type(app, Key::escape);
    CHECK_FALSE(app.state().stop);
    type(app, U'Q');
    CHECK(app.state().quit);
}

TEST_CASE("no words of the window overlap or leave it, in every scene, size, language and overlay")
{
    for (const auto& [width, height] : {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{2560, 1440}})
        for (const double scale : {0.8, 1.0, 1.2})
            for (const Language language : {Language::en, Language::zh}) {
                App app = started({.language = language, .text_scale = scale, .width = width, .height = height});
                if (language == Language::zh) type(app, U'Z');
                const auto check = [&](const Picture& picture) {
                    std::vector<std::pair<Rect, std::string>> boxes;
                    for (const Mark& mark : picture.marks)
                        if (mark.kind == Mark::Kind::text)
                            boxes.emplace_back(mark.at, picture.texts[static_cast<std::size_t>(mark.text)].words);
                    for (std::size_t i = 0; i < boxes.size(); ++i) {
                        INFO(app.title() << " " << picture.size.width() << " " << scale << ": " << boxes[i].second);
                        CHECK(picture.size.contains(boxes[i].first));
                        for (std::size_t j = 0; j < i; ++j) {
                            INFO("over " << boxes[j].second);
                            CHECK_FALSE(boxes[i].first.inset(0.5f, 2).overlaps(boxes[j].first.inset(0.5f, 2)));
                        }
                    }
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
        std::string bare = text.words;
        for (const int fact : text.facts) {
            const std::string shown = to_text(app.screen().bars.facts[static_cast<std::size_t>(fact)]);
            REQUIRE(bare.find(shown) != std::string::npos);
            bare.erase(bare.find(shown), shown.size());
        }
        INFO(text.words);
        CHECK(std::ranges::none_of(bare, [](char c) { return c >= '0' && c <= '9'; }));
    }
}
