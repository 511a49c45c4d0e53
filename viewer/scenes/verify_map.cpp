#include "viewer/scenes/heat.h"
#include "viewer/scenes/legend.h"
#include "viewer/scenes/verify_page.h"
#include <algorithm>
#include <cmath>

namespace headroom {

void draw_stage_strip(const VerifyPicture& on, Rect at)
{
    Picture& picture = on.picture;
    const RecordedCheck& check = on.check;
    const Language language = on.view.language;
    const float em = on.page.em;
    const int n = static_cast<int>(stages().size());
    for (int i = 0; i < n; ++i) {
        const Rect box = at.column(i, n, 0.9f * em);
        const std::string_view name = stages()[static_cast<std::size_t>(i)].name;
        const auto found = std::ranges::find(check.stages, name, &RecordedStage::stage);
        const bool kept = found != check.stages.end();
        const auto number = static_cast<std::size_t>(found - check.stages.begin());
        const bool is_first = kept && number == on.choice.diverging, failed = kept && on.choice.errors[number].diverges;
        picture.fill(box, Ink::sunken, 0.3f * em);
        if (kept && number == on.choice.stage) picture.frame(box, Ink::ink, 2, 0.3f * em);
        if (is_first) picture.frame(box.inset(-2.5f), Ink::warning, 2.5f, 0.5f * em);
        if (i + 1 < n) { // the order of computation
            const float x = box.x1 + 0.45f * em, y = box.centre().y, w = 0.22f * em;
            picture.line({x - w, y - w}, {x + w, y}, Ink::faint, 1.5f);
            picture.line({x - w, y + w}, {x + w, y}, Ink::faint, 1.5f);
        }
        const Rect inside = box.inset(0.5f * em, 0);
        const auto line = [&](float y, std::string_view pattern, TextStyle style, const std::vector<Fact>& facts,
                              std::string_view widest) {
            style.size = std::min(style.size, inside.width() / text_width(widest, style.face, 1));
            picture.words({inside.x0, box.y0 + y}, pattern, style, facts);
        };
        line(1.25f * em, name, {.ink = kept ? Ink::ink : Ink::faint, .size = 0.85f * em, .face = Face::mono}, {}, name);
        if (!kept) {
            const std::string_view words_ = words(Words::not_kept, language);
            line(2.6f * em, words_, {.ink = Ink::faint, .size = 0.8f * em}, {}, words_);
            continue;
        }
        const StageErrors& e = on.choice.errors[number];
        if (e.rows > 0)
            line(2.6f * em, "{}", {.ink = failed ? Ink::warning : Ink::muted, .size = 0.85f * em, .face = Face::mono},
                 {{.what = "worst error, " + found->stage, .number = e.worst}}, "-1.00e-10");
        const std::string_view verdict = words(is_first ? Words::first_to_diverge
                                               : failed ? Words::over_bound
                                                        : Words::within_bound,
                                               language);
        line(3.9f * em, verdict,
             {.ink = failed ? Ink::warning : Ink::v, .size = 0.8f * em, .face = is_first ? Face::bold : Face::sans}, {},
             verdict);
    }
}

namespace {

// The colours run from a thousandth of the worst error, or of the bound where that is smaller, to the bound.
struct ErrorScale {
    double least, bound;
    float position(double error) const
    {
        if (!(error > least)) return 0;
        return static_cast<float>(std::clamp(std::log(error / least) / std::log(bound / least), 0.0, 1.0));
    }
};
ErrorScale scale_of(const StageErrors& e)
{
    const double bound = e.bound > 0 ? e.bound : 1e-300, top = e.worst > 0 ? std::min(e.worst, bound) : bound;
    return {1e-3 * top, bound};
}

void over_bound(Picture& picture, Rect cell)
{
    picture.fill(cell, Ink::warning);
    if (std::min(cell.width(), cell.height()) >= 6)
        picture.cross(cell.inset(0.25f * cell.width(), 0.25f * cell.height()), Ink::panel, 1.2f);
}

void legend(Picture& picture, Rect at, const ErrorScale& scale, Language language, float em)
{
    Heatmap ramp{.first = {}, .rows = 1, .columns = 64, .ramp = Ramp::magnitude, .position = {}, .gap = 0};
    for (int i = 0; i < 64; ++i) ramp.position.push_back(static_cast<float>(i) / 63);
    const Rect bar{at.x0, at.y0 + 0.3f * em, at.x0 + 0.26f * at.width(), at.y0 + 1.1f * em};
    picture.heatmap(bar, std::move(ramp));
    const TextStyle small{.ink = Ink::muted, .size = 0.8f * em};
    picture.words({bar.x0, bar.y1 + 1.1f * em}, "{}", small, {{.what = "colours begin at", .number = scale.least}});
    TextStyle right = small;
    right.align = Align::right;
    picture.words({bar.x1, bar.y1 + 1.1f * em}, "{}", right, {{.what = "bound", .number = scale.bound}});
    LegendRow row(picture, {bar.x1 + 2 * em, bar.y0 + 0.72f * em}, em, language);
    row.entry(Words::bit_equal, [&](Rect r) {
        picture.fill(r, Ink::sunken);
        picture.frame(r, Ink::rule);
    });
    row.entry(Words::over_bound, [&](Rect r) { over_bound(picture, r); });
    row.entry(Words::worst_cell, [&](Rect r) { picture.frame(r.inset(-1), Ink::ink, 2); });
}

} // namespace

void draw_error_map(const VerifyPicture& on, Rect at)
{
    Picture& picture = on.picture;
    const float em = on.page.em;
    const RecordedStage& stage = on.check.stages[on.choice.stage];
    const StageErrors& e = on.choice.errors[on.choice.stage];
    const Rect key = at.cut_bottom(3 * em);
    Rect head = at.cut_top(1.8f * em);
    std::string pattern = stage.stage + " [";
    std::vector<Fact> facts;
    for (const Index extent : stage.expected.shape()) {
        pattern += facts.empty() ? "{}" : ", {}";
        facts.push_back(index_fact("extent of " + stage.stage, extent));
    }
    const Rect name =
        picture.words({head.x0, head.y0 + 0.9f * em}, pattern + "]", {.size = 0.9f * em, .face = Face::mono}, facts);
    if (e.rows == 0) return;
    const Magnitudes& errors = on.seen.error_maps[on.choice.check][on.choice.stage];

    // Square cells where there is room; a column of numbers is not stretched over the whole width.
    const float side =
        std::min({at.width() / static_cast<float>(e.columns), at.height() / static_cast<float>(e.rows), 3 * em});
    const float wide = std::min(at.width() / static_cast<float>(e.columns), 3 * side),
                high = std::min(at.height() / static_cast<float>(e.rows), 3 * side);
    const Rect box{at.x0, at.y0, at.x0 + wide * static_cast<float>(e.columns),
                   at.y0 + high * static_cast<float>(e.rows)};
    Heatmap map = heat(errors, {0, e.rows, false}, box, 1);
    map.ramp = Ramp::magnitude;
    map.first = {Part::error, static_cast<std::int32_t>(on.choice.check), static_cast<std::int32_t>(on.choice.stage), 0,
                 0};
    const Index together = Index{map.row_stride} * map.column_stride;
    std::string_view how = words(Words::error_map, on.view.language);
    const TextStyle small{.ink = Ink::muted, .size = 0.8f * em};
    if (together > 1)
        picture.words({name.x1 + em, head.y0 + 0.9f * em}, words(Words::largest_of, on.view.language), small,
                      {{.what = "numbers behind one drawn cell, at most",
                        .number = static_cast<double>(together),
                        .unit = Unit::count}});
    else
        picture.words({name.x1 + em, head.y0 + 0.9f * em}, how, small);

    const ErrorScale scale = scale_of(e);
    std::vector<Rect> over;
    for (std::int32_t r = 0; r < map.rows; ++r)
        for (std::int32_t c = 0; c < map.columns; ++c) {
            float& position = map.position[static_cast<std::size_t>(r * map.columns + c)];
            if (std::isnan(position)) continue;
            const bool is_over = !(static_cast<double>(position) <= e.bound);
            if (is_over) over.push_back(cell_rect(box, map, r, c));
            position = is_over ? std::nanf("") : scale.position(static_cast<double>(position));
        }
    const Heatmap drawn = map;
    picture.heatmap(box, std::move(map));
    picture.frame(box.inset(-1), Ink::rule, 1);
    for (const Rect& cell : over) {
        over_bound(picture, cell.inset(std::min(0.5f, 0.1f * cell.width()), std::min(0.5f, 0.1f * cell.height())));
    }
    const auto ring = [&](Index row, Index column, Ink ink) {
        const auto r = static_cast<std::int32_t>(row / drawn.row_stride),
                   c = static_cast<std::int32_t>(column / drawn.column_stride);
        const Rect cell = cell_rect(box, drawn, r, c);
        const float grow = std::max(1.5f, (8 - std::min(cell.width(), cell.height())) / 2);
        picture.frame(cell.inset(-grow - 2), Ink::panel, 2, 1); // so that it shows on any ground
        picture.frame(cell.inset(-grow), ink, 2, 1);
    };
    ring(e.worst_row, e.worst_column, Ink::ink);
    if (const auto pointed = pointed_error(on.choice, on.view); pointed && pointed->by_hand)
        ring(pointed->row, pointed->column, Ink::accent);
    legend(picture, key, scale, on.view.language, em);
}

} // namespace headroom
