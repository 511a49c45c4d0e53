// Verify: how far a kernel's answer lies from the reference, stage by stage and cell by cell.
#include "viewer/picture/paragraph.h"
#include "viewer/scenes/chart.h"
#include "viewer/scenes/verify_page.h"
#include <algorithm>
#include <array>

namespace headroom {
namespace {

// A bar for each check: its worst stage's error over the bound, on a log scale; 100 % is the bound.
void nearness(const VerifyPicture& on, const Recording& recording, const std::vector<std::size_t>& shown, Rect at)
{
    Picture& picture = on.picture;
    const float em = on.page.em;
    Rect room = panel(picture, at, em);
    picture.words(
        {room.x0, room.y0 + 0.8f * em},
        shorten(words(Words::nearest_to_bound, on.view.language), Face::sans, on.page.small.size, room.width()),
        on.page.small);
    room.cut_top(1.6f * em);
    room.cut_left(4.6f * em);
    const Scale y{.least = 1e-3, .most = 30, .logarithmic = true, .from = room.y1, .to = room.y0};
    for (const double tick : {0.001, 0.03, 1.0}) {
        picture.line({room.x0, y.at(tick)}, {room.x1, y.at(tick)}, tick == 1 ? Ink::warning : Ink::rule,
                     tick == 1 ? 1.5f : 1);
        picture.words({room.x0 - 0.5f * em, y.at(tick) + 0.3f * em}, "{}",
                      {.ink = Ink::muted, .size = 0.8f * em, .align = Align::right},
                      {{.what = "part of the bound", .number = 100 * tick, .unit = Unit::percent}});
    }
    const std::size_t n = shown.size();
    const float each = room.width() / static_cast<float>(std::max<std::size_t>(n, 12));
    for (std::size_t i = 0; i < n; ++i) {
        const RecordedCheck& check = recording.checks[shown[i]];
        const float x = room.x0 + each * static_cast<float>(i), gap = std::min(3.0f, 0.2f * each);
        const float top = y.at(std::clamp(on.seen.nearness[shown[i]], y.least, y.most));
        const bool failed = check.status == "failed", is_this = shown[i] == on.choice.check;
        Mark& bar = picture.fill({x, std::min(top, room.y1 - 2), x + each - gap, room.y1},
                                 failed ? Ink::warning : Ink::k, 1.5f);
        bar.opacity = is_this ? 1.0f : 0.5f;
        if (failed && each > 8)
            picture.cross(Rect{x, room.y1 - each + gap, x + each - gap, room.y1}.inset(0.25f * each), Ink::panel, 1.5f);
        if (is_this) picture.frame({x - 1.5f, room.y0, x + each - gap + 1.5f, room.y1 + 1.5f}, Ink::ink, 1.5f, 2);
    }
}

void title(const VerifyPicture& on, Rect head)
{
    const bool failed = on.choice.diverging < on.choice.errors.size() || on.check.status == "failed";
    const std::string status(words(failed ? Words::over_bound : Words::within_bound, on.view.language));
    const float em = on.page.em, base_line = head.y0 + 0.9f * em;
    const Rect verdict = on.picture.words(
        {head.x1, base_line}, on.check.stages.empty() ? on.check.status : status,
        {.ink = failed ? Ink::warning : Ink::v, .size = em, .face = Face::bold, .align = Align::right});
    const std::string name = on.check.implementation + " · " + on.check.executor + " · " + on.check.case_name;
    on.picture.words({head.x0, base_line}, shorten(name, Face::bold, on.page.heading.size, verdict.x0 - head.x0 - em),
                     on.page.heading);
}

void commentary(const VerifyPicture& on)
{
    const float em = on.page.em;
    Picture& picture = on.picture;
    Rect room = words_panel(picture, on.page, words(Words::what_happens, on.view.language), "09_first_kernel");
    const bool failed = on.choice.diverging < on.choice.errors.size();
    room.y0 = paragraph(picture, room, words(failed ? Words::failed_text : Words::passed_text, on.view.language),
                        {.size = 0.92f * em}) +
              0.5f * em;
    if (failed)
        room.y0 = quotation(picture, room, on.check.stages[on.choice.diverging].stage,
                            {.ink = Ink::warning, .size = em, .face = Face::bold}) +
                  0.3f * em;
    if (on.check.stages.empty()) return;
    quotation(picture, room, translated(on.check.stages[on.choice.stage].reason, on.view.language), on.page.small);
}

} // namespace

void layout_verify(Picture& picture, const Recording& recording, const View& view, Rect at)
{
    const std::vector<std::size_t> shown = shown_checks(recording, view);
    const Page page = headroom::page(picture, recording, view, Words::verify_title, shown.size(), at);
    if (shown.empty()) {
        paragraph(picture, panel(picture, page.body, page.em), words(Words::nothing_recorded, view.language),
                  page.text);
        return;
    }
    const std::shared_ptr<const Overview> seen = overview(recording, view);
    const VerifyChoice choice = verify_choice(recording, *seen, view);
    const VerifyPicture on{picture, view, page, recording.checks[choice.check], choice, *seen};
    const float em = page.em;
    Rect body = page.body;
    const Rect all_checks = body.cut_bottom(std::min(9.5f * em, 0.22f * body.height()));
    body.cut_bottom(0.8f * em);
    Rect room = panel(picture, body, em);
    title(on, room.cut_top(2 * em));
    if (on.check.stages.empty()) {
        quotation(picture, room, translated(on.check.reason, view.language), page.text);
    } else {
        draw_stage_strip(on, room.cut_top(4.6f * em));
        room.cut_top(0.8f * em);
        draw_error_map(on, room);
        draw_verify_inspector(on, page.inspector);
    }
    nearness(on, recording, shown, all_checks);
    commentary(on);
}

std::size_t steps_of_verify(const Recording& recording, const View& view)
{
    return shown_checks(recording, view).size();
}

std::span<const Phase> phases_of_verify()
{
    static constexpr std::array list{Phase{Words::phase_compare, 1}};
    return list;
}

} // namespace headroom
