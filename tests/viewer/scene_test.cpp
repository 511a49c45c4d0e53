// Scenes: what they draw is what was recorded, nothing overlaps, nothing is cut.
#include "experiments/record_lockstep.h"
#include "reference/tensor/random.h"
#include "tests/support/catch.h"
#include "viewer/scenes/explain.h"
#include "viewer/scenes/scene.h"
#include "viewer/scenes/words.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

using namespace headroom;

namespace {

const Recording& sample()
{
    static const Recording recording = record_lockstep({.q_heads = 8, .head_dim = 4, .prompt = 5, .steps = 7});
    return recording;
}

View view_at(double time) { return View{.time = time, .hover = {}, .pinned = {}}; }

} // namespace

TEST_CASE("decode draws every stored key and value once, where a click finds it again")
{
    const Recording& recording = sample();
    for (const double time : {0.0, 3.0, 7.0}) {
        const Picture picture = draw(scene("decode"), recording, view_at(time), {0, 0, 1600, 900});
        for (std::size_t lane = 0; lane < recording.lanes.size(); ++lane) {
            const Lane& l = recording.lanes[lane];
            const Tensor keys = keys_until(l, static_cast<std::size_t>(time), 0);
            Index cells = 0;
            for (const Mark& mark : picture.marks) {
                if (mark.kind != Mark::Kind::heatmap) continue;
                const Heatmap& map = picture.heatmaps[static_cast<std::size_t>(mark.heatmap)];
                if (map.first.part != Part::k || map.first.lane != static_cast<int>(lane)) continue;
                for (std::int32_t r = 0; r < map.rows; ++r)
                    for (std::int32_t c = 0; c < map.columns; ++c) {
                        ++cells;
                        REQUIRE(picture.hit(cell_rect(mark.at, map, r, c).centre()) == cell_of(map, r, c));
                    }
            }
            CHECK(cells == static_cast<Index>(keys.values().size()));
        }
    }
}

TEST_CASE("the terms of an output add up to it, those of a weight to its score")
{
    const Recording& recording = sample();
    for (std::int32_t lane = 0; lane < 3; ++lane)
        for (std::int32_t h = 0; h < 8; ++h) {
            const Explanation output = explain(recording, 4, {Part::output, lane, h, 0, 2});
            CHECK(output.sum == Approx(output.number).margin(1e-12));
            CHECK(output.terms.size() == 9);
            const Explanation weight = explain(recording, 4, {Part::weights, lane, h, 0, 3});
            const double score = weight.details.at(0).number, max = weight.details.at(1).number,
                         sum = weight.details.at(2).number;
            CHECK(weight.sum / std::sqrt(4.0) == Approx(score));
            CHECK(std::exp(score - max) / sum == Approx(weight.number));
        }
    CHECK(explain(recording, 4, {Part::k, 1, 1, 3, 0}).shared_by == 4);
    CHECK_THROWS_AS(explain(recording, 4, {Part::k, 1, 2, 3, 0}), std::out_of_range);
    CHECK_THROWS_AS(explain(recording, 4, {Part::output, 9, 0, 0, 0}), std::out_of_range);
}

TEST_CASE("pointing at a cell that does not exist draws the picture without it")
{
    View view = view_at(3);
    view.hover = {Part::output, 1, 99, 0, 0};
    CHECK_NOTHROW(draw(scene("decode"), sample(), view, {0, 0, 1600, 900}));
}

TEST_CASE("a step rests when it is complete, and while it is under way its results are not there yet")
{
    const auto output_cells = [](const Picture& picture) {
        return std::ranges::count(picture.heatmaps, Part::output, [](const Heatmap& m) { return m.first.part; });
    };
    CHECK(output_cells(draw(scene("decode"), sample(), view_at(3), {0, 0, 1600, 900})) == 24);
    CHECK(output_cells(draw(scene("decode"), sample(), view_at(3.4), {0, 0, 1600, 900})) == 0);
    CHECK(moment(8, view_at(3.4)).step == 4);
    CHECK(moment(8, view_at(1e9)).step == 7);
    CHECK(moment(8, view_at(-5)).step == 0);
}

TEST_CASE("no words overlap and none leave the picture, at three sizes, two text sizes, both languages")
{
    for (const Scene& each : scenes())
        for (const Rect size : {Rect{0, 0, 1280, 720}, Rect{0, 0, 1600, 900}, Rect{0, 0, 2560, 1440}})
            for (const float larger : {1.0f, 2.0f})
                for (const Language language : {Language::en, Language::zh})
                    for (const double time : {0.0, 5.0}) {
                        if (larger == 2 && size.width() < 2000)
                            continue; // 200 % means twice the pixels for the same room
                        View view = view_at(time);
                        view.text_size = std::max(11.0f, 15 * size.height() / 900 * (larger == 2 ? 1.2f : 1));
                        view.language = language;
                        view.hover = {Part::output, 1, 2, 0, 1};
                        const Picture picture = draw(each, sample(), view, size);
                        std::vector<std::pair<Rect, std::string>> boxes;
                        for (const Mark& mark : picture.marks)
                            if (mark.kind == Mark::Kind::text)
                                boxes.emplace_back(mark.at, picture.texts[static_cast<std::size_t>(mark.text)].words);
                        for (std::size_t i = 0; i < boxes.size(); ++i) {
                            INFO(each.name << " " << size.width() << " " << boxes[i].second);
                            CHECK(size.contains(boxes[i].first));
                            for (std::size_t j = 0; j < i; ++j) {
                                INFO("over " << boxes[j].second);
                                CHECK_FALSE(boxes[i].first.inset(0.5f, 2).overlaps(boxes[j].first.inset(0.5f, 2)));
                            }
                        }
                    }
}

TEST_CASE("both languages have the same numbers and name the same tensors in every text")
{
    const auto en = all_words(Language::en), zh = all_words(Language::zh);
    REQUIRE(en.size() == zh.size());
    const auto count_of = [](std::string_view text, std::string_view part) {
        int n = 0;
        for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++n;
        return n;
    };
    for (std::size_t i = 0; i < en.size(); ++i)
        for (const std::string_view part : {"{}", "[q|", "[k|", "[v|", "[weights|", "[output|"}) {
            INFO(en[i]);
            CHECK(count_of(en[i], part) == count_of(zh[i], part));
        }
}

TEST_CASE("every number in a picture's words is a fact, and follows the recording when its values change")
{
    Recording other = record_lockstep({.q_heads = 8, .head_dim = 4, .prompt = 5, .steps = 7, .seed = 2});
    Random random(5);
    for (Lane& lane : other.lanes)
        for (RecordedStep& step : lane.steps) step.counters.live = random.integer(1000, 900000);
    View view = view_at(6);
    view.hover = {Part::output, 2, 3, 0, 0};
    const Picture picture = draw(scene("decode"), other, view, {0, 0, 1600, 900});
    for (const Text& text : picture.texts) {
        std::string bare = text.words;
        for (const int fact : text.facts) {
            const std::string shown = to_text(picture.facts[static_cast<std::size_t>(fact)]);
            REQUIRE(bare.find(shown) != std::string::npos);
            bare.erase(bare.find(shown), shown.size());
        }
        const bool names_a_cell =
            bare.find('[') != std::string::npos || bare.starts_with("token") || bare.starts_with("headroom");
        INFO(text.words);
        CHECK((names_a_cell || std::ranges::none_of(bare, [](char c) { return c >= '0' && c <= '9'; })));
    }
    for (const Lane& lane : other.lanes) {
        const auto shown = std::ranges::find(picture.facts, "live bytes, " + lane.name, &Fact::what);
        REQUIRE(shown != picture.facts.end());
        CHECK(shown->number == static_cast<double>(lane.steps[6].counters.live));
    }
}
