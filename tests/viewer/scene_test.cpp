// Scenes: what they draw is what was recorded, and what is pointed at lights up what belongs to it.
#include "cuda/attention.h"
#include "experiments/record_caches.h"
#include "experiments/record_checks.h"
#include "experiments/record_lockstep.h"
#include "experiments/scene_recordings.h"
#include "reference/tensor/random.h"
#include "tests/support/catch.h"
#include "tests/viewer/random_recording.h"
#include "tests/viewer/texts.h"
#include "viewer/export/describe.h"
#include "viewer/export/svg.h"
#include "viewer/scenes/explain.h"
#include "viewer/scenes/scene.h"
#include "viewer/scenes/words.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <set>

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
            std::set<std::array<std::int32_t, 3>> seen;
            for (const Mark& mark : picture.marks) {
                if (mark.kind != Mark::Kind::heatmap) continue;
                const Heatmap& map = picture.heatmaps[static_cast<std::size_t>(mark.heatmap)];
                if (map.first.part != Part::k || map.first.lane != static_cast<int>(lane)) continue;
                for (std::int32_t r = 0; r < map.rows; ++r)
                    for (std::int32_t c = 0; c < map.columns; ++c) {
                        const Cell cell = cell_of(map, r, c);
                        REQUIRE(seen.insert({cell.head, cell.row, cell.column}).second);
                        REQUIRE(picture.hit(cell_rect(mark.at, map, r, c).centre()) == cell);
                    }
            }
            CHECK(seen.size() == keys.values().size());
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

TEST_CASE("what a recording says in English has its Chinese, where we wrote it")
{
    const auto is_chinese = [](std::string_view written) {
        INFO(written);
        CHECK(translated(written, Language::en) == written);
        const std::string said = translated(written, Language::zh);
        CHECK(std::ranges::any_of(said, [](char c) { return static_cast<unsigned char>(c) >= 0xe4; }));
        CHECK(said.find("{}") == std::string::npos);
    };
    for (const Scene& each : scenes()) is_chinese(scene_recording(each.name, {}).title);
    for (const cuda::StepInfo& step : cuda::steps()) is_chinese(step.idea);
    for (const Lane& lane : record_caches({}).caches)
        if (!lane.detail.empty()) is_chinese(lane.detail);
    for (const RecordedCheck& check : example_checks(true))
        for (const RecordedStage& stage : check.stages) {
            is_chinese(stage.reason);
            if (!stage.complaint.empty()) is_chinese(stage.complaint);
        }
    CHECK(translated("a story, layer 3: once", Language::zh) == "a story，第 3 层：once");
    CHECK(translated("{} again, layer 3: {}", Language::zh) == "{} again，第 3 层：{}");
    CHECK(translated("my own words", Language::zh) == "my own words");
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
        const std::string bare = without_facts(picture, text);
        const bool names_a_cell = bare.find('[') != std::string::npos || bare.starts_with("token") ||
                                  bare.starts_with("headroom") || !text.link.empty();
        INFO(text.words);
        CHECK((names_a_cell || !has_digits(bare)));
    }
    for (const Lane& lane : other.lanes) {
        const auto shown = std::ranges::find(picture.facts, "live bytes, " + lane.name, &Fact::what);
        REQUIRE(shown != picture.facts.end());
        CHECK(shown->number == static_cast<double>(lane.steps[6].counters.live));
    }
}

TEST_CASE("a word that names a tensor lights all of it up in every panel, and says what it is")
{
    View view = view_at(4);
    view.hover.part = Part::k;
    for (const Language language : {Language::en, Language::zh}) {
        view.language = language;
        const Picture picture = draw(scene("decode"), sample(), view, {0, 0, 1600, 900});
        int bright = 0, dimmed = 0;
        for (const Mark& mark : picture.marks) {
            if (mark.kind != Mark::Kind::heatmap) continue;
            const Part part = picture.heatmaps[static_cast<std::size_t>(mark.heatmap)].first.part;
            if (mark.opacity == 1) {
                CHECK(part == Part::k);
                ++bright;
            } else {
                ++dimmed;
            }
        }
        CHECK(bright == 2 * (8 + 2 + 1)); // of each KV head the old columns and the new one
        CHECK(dimmed > bright);
        std::string all, said; // without spaces: a paragraph's words are texts of their own
        for (const Text& text : picture.texts) all += text.words;
        for (std::string_view markup = words(Words::about_k, language); !markup.empty(); markup.remove_prefix(1)) {
            if (markup.front() == '[')
                markup.remove_prefix(markup.find('|'));
            else if (markup.front() != ']')
                said += markup.front();
        }
        std::erase(all, ' ');
        std::erase(said, ' ');
        CHECK(all.find(said) != std::string::npos);
    }
}

TEST_CASE("every word that names a tensor can be pointed at")
{
    const Picture picture = draw(scene("decode"), sample(), view_at(4), {0, 0, 1600, 900});
    int named = 0;
    for (const Mark& mark : picture.marks) {
        if (mark.kind != Mark::Kind::text || !names_tensor(mark.cell)) continue;
        CHECK(picture.hit(mark.at.centre()) == mark.cell);
        CHECK(scene("decode").has(sample(), view_at(4), mark.cell));
        ++named;
    }
    CHECK(named >= 8);
}

TEST_CASE("Kernel: a word that names K or V leaves its bytes and dims the other's")
{
    const Recording recording = random_recording(3);
    const auto dimmed_bars = [&](Part named, Ink ink) {
        View view = view_at(1e9);
        view.hover.part = named;
        const Picture picture = draw(scene("kernel"), recording, view, {0, 0, 1600, 900});
        return std::ranges::count_if(picture.marks, [&](const Mark& m) {
            return m.kind == Mark::Kind::fill && m.ink == ink && m.radius > 0 && m.opacity < 1;
        });
    };
    for (const Ink ink : {Ink::k, Ink::v}) CHECK(dimmed_bars(Part::none, ink) == 0);
    CHECK(dimmed_bars(Part::k, Ink::k) == 0);
    CHECK(dimmed_bars(Part::k, Ink::v) > 0);
    CHECK(dimmed_bars(Part::v, Ink::k) > 0);
    CHECK(dimmed_bars(Part::v, Ink::v) == 0);
    const Picture picture = draw(scene("kernel"), recording, view_at(3), {0, 0, 1600, 900});
    int named = 0;
    for (const Mark& mark : picture.marks)
        if (mark.kind == Mark::Kind::text && names_tensor(mark.cell)) {
            CHECK(scene("kernel").has(recording, view_at(3), mark.cell));
            ++named;
        }
    CHECK(named == 2);
}

TEST_CASE("Cache: under each block in use stands its place in the block table")
{
    const Recording recording = record_caches({});
    const auto paged = std::ranges::find(recording.caches, "paged", &Lane::cache);
    REQUIRE(paged != recording.caches.end());
    for (const double time : {0.0, 9.0, 23.0}) {
        const Picture picture = draw(scene("cache"), recording, view_at(time), {0, 0, 1600, 900});
        const RecordedStep& step = paged->steps[static_cast<std::size_t>(time)];
        CHECK(step.block == 4);
        Index entries = 0;
        for (const Fact& fact : picture.facts) {
            if (!fact.what.starts_with("entry of the table")) continue;
            const Index first = 4 * static_cast<Index>(fact.number); // token
            CHECK(fact.what == "entry of the table that leads to block " +
                                   std::to_string(static_cast<Index>(step.slot(0, first)) / 4) + ", paged");
            ++entries;
        }
        CHECK(entries == (step.past + step.added + 3) / 4);
    }
}

TEST_CASE("Cache: a slot whose old token was overwritten is crossed out")
{
    const Recording recording = record_caches({});
    for (const double time : {5.0, 16.0}) { // before and after the ring is full
        const Picture picture = draw(scene("cache"), recording, view_at(time), {0, 0, 1600, 900});
        const auto crosses = std::ranges::count(picture.marks, Mark::Kind::cross, &Mark::kind);
        CHECK(crosses == (time < 14 ? 1 : 2)); // one explains it
    }
}

TEST_CASE("each scene leads to a chapter of the tutorial that is there, in its language")
{
    for (const Scene& each : scenes())
        for (const Language language : {Language::en, Language::zh}) {
            View view = view_at(0);
            view.language = language;
            const Recording recording = random_recording(3);
            const Picture picture = draw(each, recording, view, {0, 0, 1600, 900});
            const auto link = std::ranges::find_if(picture.texts, [](const Text& t) { return !t.link.empty(); });
            INFO(each.name);
            REQUIRE(link != picture.texts.end());
            CHECK(std::filesystem::is_regular_file(std::filesystem::path(HEADROOM_SOURCE_FOLDER) / link->link));
            CHECK(link->link.ends_with(language == Language::zh ? ".zh.md" : "/README.md"));
            CHECK(svg(picture, theme("light")).find("href=\"tutorials") ==
                  std::string::npos); // it knows not from where
            CHECK(describe(picture).find(link->words) != std::string::npos);
        }
}
