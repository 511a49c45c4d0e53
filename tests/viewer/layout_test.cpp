// Of every scene: nothing overlaps, nothing is cut, scrubbing and playing agree, every number is a fact.
#include "tests/support/catch.h"
#include "tests/viewer/random_recording.h"
#include "tests/viewer/texts.h"
#include "viewer/export/describe.h"
#include "viewer/scenes/scene.h"
#include <algorithm>

using namespace headroom;

namespace {

const Recording& sample()
{
    static const Recording recording = random_recording(1);
    return recording;
}

View view_of(Rect size, Language language, double time, float larger = 1)
{
    View view{.time = time, .hover = {}, .pinned = {}};
    view.text_size = larger * 15 * size.height() / 900;
    view.language = language;
    return view;
}

Cell something_in(std::string_view scene)
{
    if (scene == "decode") return {Part::output, 1, 2, 0, 1};
    if (scene == "memory") return {Part::model, 5, 0, 0, 0};
    if (scene == "kernel") return {Part::access, 0, 0, 5, 3};
    if (scene == "verify") return {Part::error, 0, 1, 1, 0};
    return {};
}

} // namespace

TEST_CASE(
    "no words overlap and none leave the picture, in every scene, at three sizes, 100 and 200 percent, both languages")
{
    for (const Scene& each : scenes())
        for (const Rect pixels : {Rect{0, 0, 1280, 720}, Rect{0, 0, 1600, 900}, Rect{0, 0, 2560, 1440}})
            for (const float scale : {1.0f, 2.0f}) // a display of 200 % shows half as many logical pixels
                for (const Language language : {Language::en, Language::zh})
                    for (const double part : {0.0, 0.5, 1.0}) {
                        const Rect size{0, 0, pixels.width() / scale, pixels.height() / scale};
                        View view = view_of(size, language, 0);
                        view.time = part * static_cast<double>(each.steps(sample(), view)) - (part > 0 ? 1 : 0);
                        if (part > 0) view.hover = something_in(each.name);
                        expect_clear(draw(each, sample(), view, size),
                                     std::string(each.name) + " " + std::to_string(pixels.width()));
                    }
}

TEST_CASE("a fifth larger text still fits")
{
    for (const Scene& each : scenes())
        for (const Language language : {Language::en, Language::zh}) {
            const Rect size{0, 0, 1600, 900};
            expect_clear(draw(each, sample(), view_of(size, language, 2, 1.2f), size), std::string(each.name));
        }
}

TEST_CASE("every number in a picture's words is a fact, and what else has digits are names from the recording")
{
    const Rect size{0, 0, 1600, 900};
    std::vector<std::string> names{sample().title, sample().command};
    for (const RecordedModel& model : sample().models)
        names.insert(names.end(), {model.name + "  ", model.name + ": ", model.source});
    for (const Control& control : scene("memory").controls(sample()))
        names.insert(names.end(), control.choices.begin(), control.choices.end());
    for (const RecordedCheck& check : sample().checks)
        for (const RecordedStage& stage : check.stages) names.insert(names.end(), {stage.reason, stage.complaint});
    for (const TracedStep& kernel : sample().kernels) names.push_back(kernel.step);
    for (const Lane& lane : sample().caches)
        names.insert(names.end(), {lane.name, lane.detail, translated(lane.detail, Language::zh)});
    for (const Scene& each : scenes())
        for (const Language language : {Language::en, Language::zh}) {
            View view = view_of(size, language, 3);
            view.hover = something_in(each.name);
            const Picture picture = draw(each, sample(), view, size);
            for (const Text& text : picture.texts) {
                std::string bare = without_facts(picture, text);
                for (const std::string& name : names) // shortened names end in …
                    if (const std::size_t at = bare.find(name.substr(0, 4)); !name.empty() && at != std::string::npos)
                        bare.erase(at);
                for (const std::string_view word : {"→ tutorials/", "128", "f32", "token ", "output[h ", "weights[h "})
                    if (const std::size_t at = bare.find(word); at != std::string::npos) bare.erase(at);
                INFO(each.name << ": " << text.words);
                CHECK_FALSE(has_digits(bare));
            }
        }
}

TEST_CASE("a description says every number that stands in the picture, and no other")
{
    const Rect size{0, 0, 1600, 900};
    for (const Scene& each : scenes()) {
        const Picture picture = draw(each, sample(), view_of(size, Language::en, 3), size);
        const std::string said = describe(picture);
        std::size_t lines = 0;
        std::vector<std::string> shown;
        for (const Text& text : picture.texts)
            for (const int fact : text.facts) {
                const Fact& f = picture.facts[static_cast<std::size_t>(fact)];
                shown.push_back(f.what + " = " + to_text(f) + " (");
                INFO(each.name << ": " << shown.back());
                CHECK(said.find(shown.back()) != std::string::npos);
            }
        for (std::size_t at = said.find(" = "); at != std::string::npos; at = said.find(" = ", at + 1)) ++lines;
        CHECK(lines > 0);
        CHECK(lines <= shown.size());
    }
}

TEST_CASE("a moment looks the same whether it was scrubbed to or played to")
{
    const Rect size{0, 0, 1280, 720};
    for (const Scene& each : scenes()) {
        const auto text_at = [&](double time) {
            return describe(draw(each, sample(), view_of(size, Language::en, time), size));
        };
        const std::string scrubbed = text_at(3.25);
        for (double time = 0; time < 3.25; time += 0.4) text_at(time);
        CHECK(text_at(3.25) == scrubbed);
    }
}

TEST_CASE("a scene without anything recorded says so, and a cell that is not there is let go")
{
    const Recording empty{.title = "", .command = "", .lanes = {}};
    const Rect size{0, 0, 1280, 720};
    for (const Scene& each : scenes()) {
        CHECK(each.steps(empty, {}) == 0);
        CHECK_NOTHROW(draw(each, empty, view_of(size, Language::zh, 3), size));
        for (const Part part : {Part::output, Part::slot, Part::model, Part::access, Part::error, Part::weights}) {
            View view = view_of(size, Language::en, 2);
            view.pinned = {part, 99, 99, 99, 99};
            CHECK_NOTHROW(draw(each, sample(), view, size));
            view.pinned = {part, -1, -5, -1, -1};
            CHECK_NOTHROW(draw(each, sample(), view, size));
        }
    }
}

TEST_CASE("settings beyond a control's limits are brought back into them, and words set them by name")
{
    for (const Scene& each : scenes())
        for (const Control& control : each.controls(sample())) {
            View view = view_of({0, 0, 1280, 720}, Language::en, 1);
            view.settings[std::string(control.key)] = 1e9;
            CHECK_NOTHROW(draw(each, sample(), view, {0, 0, 1280, 720}));
            view.settings[std::string(control.key)] = -7;
            CHECK_NOTHROW(draw(each, sample(), view, {0, 0, 1280, 720}));
            Settings settings;
            CHECK_THROWS_AS(set(settings, control, "no such thing"), std::invalid_argument);
            if (!control.choices.empty()) {
                set(settings, control, control.choices.back());
                CHECK(setting(settings, control) == static_cast<double>(control.choices.size() - 1));
            }
        }
}
