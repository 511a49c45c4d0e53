// Verify: how far a kernel's answer lies from the reference, stage by stage and cell by cell.
#include "viewer/picture/paragraph.h"
#include "viewer/scenes/chart.h"
#include "viewer/scenes/magnitudes.h"
#include "viewer/scenes/page.h"
#include "viewer/scenes/verify_map.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace headroom {
namespace {

Fact plain(std::string what, double number) { return {.what = std::move(what), .number = number}; }

class VerifyScene {
public:
    VerifyScene(Picture& picture, const Recording& recording, const View& view, Rect at)
        : picture_(picture), recording_(recording), view_(view),
          page_(page(picture, recording, view, Words::verify_title, recording.checks.size(), at)), em_(page_.em),
          now_(moment(recording.checks.size(), view).step), seen_(overview(recording, view))
    {}

    void draw()
    {
        if (recording_.checks.empty()) {
            paragraph(picture_, panel(picture_, page_.body, em_), words(Words::nothing_recorded, view_.language),
                      page_.text);
            return;
        }
        const RecordedCheck& check = recording_.checks[now_];
        Rect body = page_.body;
        const Rect all_checks = body.cut_bottom(std::min(9.5f * em_, 0.22f * body.height()));
        body.cut_bottom(0.8f * em_);
        Rect room = panel(picture_, body, em_);
        const Rect head = room.cut_top(2 * em_);
        const bool failed = check.status == "failed";
        const std::string status = std::string(words(failed ? Words::over_bound : Words::within_bound, view_.language));
        const Rect verdict = picture_.words(
            {head.x1, head.y0 + 0.9f * em_}, check.stages.empty() ? check.status : status,
            {.ink = failed ? Ink::warning : Ink::v, .size = em_, .face = Face::bold, .align = Align::right});
        picture_.words({head.x0, head.y0 + 0.9f * em_},
                       shorten(check.implementation + " · " + check.executor + " · " + check.case_name, Face::bold,
                               page_.heading.size, verdict.x0 - head.x0 - em_),
                       page_.heading);
        if (check.stages.empty()) {
            paragraph(picture_, room, check.reason, page_.text);
        } else {
            const std::size_t shown = shown_stage(check, view_);
            draw_stage_strip(picture_, room.cut_top(4.6f * em_), check, shown, view_.language, em_);
            room.cut_top(0.8f * em_);
            draw_error_map(picture_, room, {check, shown, static_cast<std::int32_t>(now_), view_}, em_);
            inspector(errors_of(check.stages[shown]));
        }
        nearness(all_checks);
        commentary(check);
    }

private:
    // A bar for each check: its worst stage's error over the bound, on a log scale; 1 is the bound.
    void nearness(Rect at)
    {
        Rect room = panel(picture_, at, em_);
        picture_.words(
            {room.x0, room.y0 + 0.8f * em_},
            shorten(words(Words::nearest_to_bound, view_.language), Face::sans, page_.small.size, room.width()),
            page_.small);
        room.cut_top(1.6f * em_);
        room.cut_left(4.6f * em_);
        const Scale y{.least = 1.0 / 1024, .most = 32, .logarithmic = true, .from = room.y1, .to = room.y0};
        for (const double tick : {1.0 / 1024, 1.0 / 32, 1.0}) {
            picture_.line({room.x0, y.at(tick)}, {room.x1, y.at(tick)}, tick == 1 ? Ink::warning : Ink::rule,
                          tick == 1 ? 1.5f : 1);
            picture_.words({room.x0 - 0.5f * em_, y.at(tick) + 0.3f * em_}, "{}",
                           {.ink = Ink::muted, .size = 0.8f * em_, .align = Align::right},
                           {plain("part of the bound", tick)});
        }
        const std::size_t n = recording_.checks.size();
        const float each = room.width() / static_cast<float>(std::max<std::size_t>(n, 12));
        for (std::size_t i = 0; i < n; ++i) {
            const double part = seen_->nearness[i];
            const float x = room.x0 + each * static_cast<float>(i), gap = std::min(3.0f, 0.2f * each);
            const float top = y.at(std::clamp(part, 1.0 / 1024, 32.0));
            const bool failed = recording_.checks[i].status == "failed";
            Mark& bar = picture_.fill({x, std::min(top, room.y1 - 2), x + each - gap, room.y1},
                                      failed ? Ink::warning : Ink::k, 1.5f);
            bar.opacity = i == now_ ? 1.0f : 0.5f;
            if (failed && each > 8)
                picture_.cross(Rect{x, room.y1 - each + gap, x + each - gap, room.y1}.inset(0.25f * each), Ink::panel,
                               1.5f);
            if (i == now_)
                picture_.frame({x - 1.5f, room.y0, x + each - gap + 1.5f, room.y1 + 1.5f}, Ink::ink, 1.5f, 2);
        }
    }

    void inspector(const StageErrors& e)
    {
        Rect room = panel(picture_, page_.inspector, page_, words(Words::inspector, view_.language));
        if (e.rows == 0) {
            paragraph(picture_, room, e.stage->complaint, page_.text);
            return;
        }
        float y = room.y0 + 0.7f * em_;
        const auto row = [&](Words name, std::string_view pattern, const std::vector<Fact>& facts, Ink ink = Ink::ink) {
            picture_.words({room.x0, y}, words(name, view_.language), page_.small);
            picture_.words({room.x1, y}, pattern,
                           {.ink = ink, .size = 0.9f * em_, .face = Face::mono, .align = Align::right}, facts);
            y += 1.42f * em_;
        };
        const std::string& stage = e.stage->stage;
        const auto exact = [&](const char* what, double x) { return plain(what + (", " + stage), x); };
        const Index cells = e.rows * e.columns;
        row(Words::worst_error, "{}", {exact("worst error", e.worst)}, e.over ? Ink::warning : Ink::ink);
        row(Words::allowed, "{}", {exact("bound", e.stage->bound)});
        row(Words::mean_error, "{}", {exact("mean error", e.mean)},
            e.mean <= e.stage->mean_bound ? Ink::ink : Ink::warning);
        row(Words::allowed, "{}", {exact("bound of the mean", e.stage->mean_bound)});
        row(Words::bit_equal, words(Words::of_count, view_.language),
            {count_of("cells equal to the reference, " + stage, e.equal), count_of("cells, " + stage, cells)});
        row(Words::cells_over, "{}", {count_of("cells over the bound, " + stage, e.over)},
            e.over ? Ink::warning : Ink::ink);
        y += 0.5f * em_;

        // The cell pointed at, else the worst one.
        const Cell c = view_.chosen();
        const bool pointed = c.part == Part::error &&
                             c.head == static_cast<std::int32_t>(e.stage - recording_.checks[now_].stages.data());
        const Index r = pointed ? c.row : e.worst_row, column = pointed ? c.column : e.worst_column;
        std::string name = stage + "[";
        std::vector<Fact> index;
        for (const Index i : e.index_of(r, column)) {
            name += index.empty() ? "{}" : ", {}";
            index.push_back({.what = "index of the cell", .number = static_cast<double>(i), .unit = Unit::index});
        }
        if (!pointed) {
            picture_.words({room.x0, y}, words(Words::worst_cell, view_.language), page_.small);
            y += 1.35f * em_;
        }
        picture_.words({room.x0, y}, name + "]", {.size = 0.9f * em_, .face = Face::mono}, index);
        y += 1.5f * em_;
        row(Words::got, "{}", {plain("kernel's number", e.got(r, column))});
        row(Words::expected, "− {}", {plain("reference's number", e.expected(r, column))});
        row(Words::difference, "= {}", {plain("their difference", e.got(r, column) - e.expected(r, column))},
            e.error(r, column) <= e.stage->bound ? Ink::ink : Ink::warning);
    }

    void commentary(const RecordedCheck& check)
    {
        Rect room = panel(picture_, page_.commentary, page_, words(Words::what_happens, view_.language));
        const std::size_t diverging = first_diverging(check);
        const bool failed = diverging < check.stages.size();
        room.y0 = paragraph(picture_, room, words(failed ? Words::failed_text : Words::passed_text, view_.language),
                            {.size = 0.92f * em_}) +
                  0.5f * em_;
        if (failed)
            room.y0 = paragraph(picture_, room, "[warning|" + check.stages[diverging].stage + "]",
                                {.size = em_, .face = Face::bold}) +
                      0.3f * em_;
        // The bound's reason in the checker's own words.
        const RecordedStage* stage = check.stages.empty() ? nullptr : &check.stages[shown_stage(check, view_)];
        if (stage)
            for (const std::string& line : wrap(stage->reason, Face::sans, 0.8f * em_, room.width())) {
                if (room.height() < 1.3f * em_) break;
                picture_.words({room.x0, room.y0 + 0.7f * em_}, line, page_.small);
                room.cut_top(1.2f * em_);
            }
    }

    Picture& picture_;
    const Recording& recording_;
    const View& view_;
    Page page_;
    float em_;
    std::size_t now_;
    std::shared_ptr<const Overview> seen_;
};

} // namespace

void layout_verify(Picture& picture, const Recording& recording, const View& view, Rect at)
{
    VerifyScene(picture, recording, view, at).draw();
}

std::size_t steps_of_verify(const Recording& recording, const View&) { return recording.checks.size(); }

std::vector<Control> controls_of_verify(const Recording&)
{
    Control stage{.key = "stage", .label = Words::stage, .choices = {"auto"}};
    for (const Stage& each : stages()) stage.choices.emplace_back(each.name);
    return {stage, {.key = "planted", .label = Words::planted_mistake, .kind = Control::Kind::toggle, .remakes = true}};
}

std::span<const Phase> phases_of_verify()
{
    static constexpr std::array list{Phase{Words::phase_compare, 1}};
    return list;
}

bool verify_has(const Recording& recording, const View& view, const Cell& cell)
{
    if (cell.part != Part::error || recording.checks.empty()) return false;
    const std::size_t now = moment(recording.checks.size(), view).step;
    const RecordedCheck& check = recording.checks[now];
    if (cell.lane != static_cast<std::int32_t>(now) || cell.head < 0 ||
        cell.head >= static_cast<std::int32_t>(check.stages.size()))
        return false;
    const StageErrors e = errors_of(check.stages[static_cast<std::size_t>(cell.head)]);
    return cell.row >= 0 && cell.row < e.rows && cell.column >= 0 && cell.column < e.columns;
}

} // namespace headroom
