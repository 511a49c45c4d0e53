// The window's scenes, controls, preferences, files, help and walk: every key and button is pressed.
#include "experiments/scene_recordings.h"
#include "reference/tensor/files.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "tests/viewer/started_app.h"
#include "viewer/app/walk.h"
#include <algorithm>
#include <memory>
#include <optional>

using namespace headroom;

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

TEST_CASE("a recording that was read already is shown itself")
{
    App app = started();
    const auto read = std::make_shared<const Recording>(scene_recording("decode", {{"q_heads", 4}}));
    app.open(read, "read.safetensors");
    CHECK(app.state().desk().recording == read);
    CHECK(app.state().file_name == "read.safetensors");
}

namespace {

bool says(const Picture& picture, std::string_view words)
{
    return std::ranges::any_of(picture.texts, [&](const Text& t) { return t.words == words; });
}

// What the controls show of a number.
std::optional<double> shown(const Picture& bars, std::string_view key)
{
    const auto found = std::ranges::find(bars.facts, key, &Fact::what);
    if (found == bars.facts.end()) return {};
    return found->number;
}

} // namespace

TEST_CASE("controls show what the shown run was made with, and no file's run is made again")
{
    App app = started();
    const auto lanes = [&]() -> const std::vector<Lane>& { return app.state().desk().recording->lanes; };
    for (const double q_heads : {4.0, 1.0, 16.0}) {
        app.ask({Act::control, q_heads, 1});
        CHECK(shown(app.screen().bars, "q_heads") == static_cast<double>(lanes()[0].q_heads));
        CHECK(shown(app.screen().bars, "kv_heads") == static_cast<double>(lanes()[1].geometry.kv_heads));
    }
    app.ask({Act::control, 6, 1});
    app.ask({Act::control, 4, 2}); // 6 query heads are not a multiple of 4
    CHECK_FALSE(app.state().message.empty());
    CHECK(shown(app.screen().bars, "kv_heads") == static_cast<double>(lanes()[1].geometry.kv_heads));
    app.ask({Act::control, 1, 3}); // a model has the heads that it has
    REQUIRE(lanes()[0].q_heads == 8);
    CHECK_FALSE(shown(app.screen().bars, "q_heads"));

    for (const bool chinese : {false, true}) {
        if (chinese) type(app, U'Z');
        const std::string_view reason = words(Words::not_run_again, app.state().preferences.language);
        const auto opened =
            std::make_shared<const Recording>(scene_recording("decode", {{"q_heads", 32}, {"kv_heads", 4}}));
        app.open(opened, "mine");
        CHECK_FALSE(shown(app.screen().bars, "q_heads"));
        CHECK(says(app.screen().bars, reason));
        const std::vector<Control> controls = app.state().shown().controls(*opened);
        for (const Spot& spot : app.screen().spots)
            if (spot.request.act == Act::control) CHECK_FALSE(controls[spot.request.index].remakes);
        app.ask({Act::control, 4, 1});
        CHECK(app.state().desk().recording == opened);
        click(app, spot_of(app, Act::source).at.centre());
        CHECK(shown(app.screen().bars, "q_heads") == static_cast<double>(lanes()[0].q_heads));
        CHECK_FALSE(says(app.screen().bars, reason));
    }
}

TEST_CASE("a check of somebody's own problem has no link to Decode, and says why")
{
    App app = started();
    type(app, U'5');
    auto own = std::make_shared<Recording>(*app.state().desk().recording);
    const auto links = [&] {
        return std::ranges::count(app.screen().spots, Act::open_case, [](const Spot& s) { return s.request.act; });
    };
    CHECK(links() == 1);
    for (RecordedCheck& check : own->checks) check.own_problem = true;
    app.open(own, "mine");
    CHECK(links() == 0);
    CHECK(says(app.screen().scene, words(Words::problem_not_kept, Language::en)));
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
