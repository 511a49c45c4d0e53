// An explanation in the inspector: the number, its formula, the terms that there is room for, and their sum.
#include "viewer/scenes/explain.h"

#include "viewer/scenes/words.h"
#include <algorithm>
#include <fmt/format.h>

namespace headroom {

void inspect(Picture& picture, Rect room, const Recording& recording, std::size_t step, const Cell& cell,
             Language language, float em)
{
    const Lane& lane = recording.lanes.at(static_cast<std::size_t>(cell.lane));
    const Explanation e = explain(recording, step, cell);
    const TextStyle mono{.size = 0.85f * em, .face = Face::mono},
        quiet{.ink = Ink::muted, .size = 0.85f * em, .face = Face::mono}, small{.ink = Ink::muted, .size = 0.8f * em};
    const float line_step = 1.35f * em;
    float y = room.y0 + 0.8f * em;
    const auto line = [&](std::string_view pattern, const TextStyle& style, const std::vector<Fact>& facts = {}) {
        picture.words({room.x0, y}, pattern, style, facts);
        y += line_step;
    };
    line(shorten(lane.name + "  " + e.name, Face::mono, 0.85f * em, room.width()), mono);
    line("= {}", {.size = 1.2f * em, .face = Face::mono}, {{.what = e.name, .number = e.number}});
    if (e.formula.empty()) {
        line(words(Words::stored_number, language), small);
        if (e.shared_by)
            line(words(Words::shared_by, language), small,
                 {{.what = "query heads that read it",
                   .number = static_cast<double>(e.shared_by),
                   .unit = Unit::index}});
        return;
    }
    line(shorten("= " + e.formula, Face::mono, 0.85f * em, room.width()), quiet);
    for (const Fact& fact : e.details) line(fact.what + " {}", quiet, {fact});

    const auto fitting = static_cast<std::size_t>(std::max(1.0f, (room.y1 - y) / line_step - 2));
    const std::size_t shown = e.terms.size() > fitting + 1 ? fitting : e.terms.size();
    double sum = 0;
    for (const Term& term : std::span(e.terms).first(shown)) {
        const bool of_tokens = cell.part == Part::output;
        line(fmt::format("{} {:>3}  {{}} × {{}}", of_tokens ? "token" : "d",
                         of_tokens ? term.cell.row : term.cell.column),
             mono, {{.what = "factor", .number = term.factor}, {.what = "value", .number = term.value}});
        sum += term.factor * term.value;
    }
    if (shown < e.terms.size())
        line(words(Words::more_terms, language), small,
             {{.what = "terms not listed", .number = static_cast<double>(e.terms.size() - shown), .unit = Unit::index},
              {.what = "their sum", .number = e.sum - sum}});
    line("Σ = {}", mono, {{.what = "sum of the terms", .number = e.sum}});
}

} // namespace headroom
