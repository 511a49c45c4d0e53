#include "viewer/picture/paragraph.h"
#include "viewer/scenes/memory_page.h"

#include <algorithm>
#include <cmath>

namespace headroom {

// Rows: batch 1, 2, 4 …; columns: context 256, 512, …; a cell is as full as the GPU would be, and crossed where the
// cache and the weights do not fit.
void draw_what_fits(const MemoryPicture& on, Rect at)
{
    const float em = on.page.em;
    const PlannedModel& model = on.models[on.chosen];
    Rect room = panel(on.picture, at, em);
    const Rect head = room.cut_top(1.9f * em);
    on.picture.words({head.x0, head.y0 + 0.9f * em},
                     shorten(model.name + ": " + std::string(words(Words::batch_by_context, on.view.language)),
                             Face::sans, 0.8f * em, head.width()),
                     on.page.small);
    if (!model.problem.empty()) return;
    if (on.choice.weights && !weigh(model.facts.parameters, on.choice.plan).bytes) {
        paragraph(on.picture, room, words(Words::weights_unknown, on.view.language), on.page.small);
        return;
    }
    const Rect below = room.cut_bottom(1.3f * em), beside = room.cut_left(2.8f * em);
    constexpr int rows = 9, columns = static_cast<int>(context_steps);
    const double usable = static_cast<double>(on.choice.usable());
    Heatmap map{.first = {}, .rows = rows, .columns = columns, .ink = Ink::k, .position = {}};
    std::vector<Rect> too_large;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) {
            const Index batch = Index{1} << (rows - 1 - r), context = shortest_context << c;
            const auto bytes = bytes_at(model, on.choice, context, batch);
            const bool fits = bytes && *bytes <= usable;
            map.position.push_back(fits ? static_cast<float>(*bytes / usable) : std::nanf(""));
            if (!fits) too_large.push_back(cell_rect(room, map, r, c));
        }
    const Heatmap cells = map;
    on.picture.heatmap(room, std::move(map));
    for (const Rect& cell : too_large)
        on.picture.cross(cell.inset(0.32f * cell.width(), 0.32f * cell.height()), Ink::warning, 1.2f);

    // What the timeline and the batch have chosen.
    const int row =
        rows - 1 -
        std::clamp(static_cast<int>(std::lround(std::log2(static_cast<double>(on.choice.plan.batch)))), 0, rows - 1);
    const int column = std::clamp(static_cast<int>(std::lround(std::log2(static_cast<double>(on.choice.context) /
                                                                         static_cast<double>(shortest_context)))),
                                  0, columns - 1);
    on.picture.frame(cell_rect(room, cells, row, column).inset(-1), Ink::ink, 2);

    const auto number = [&](Point p, Align align, const char* what, Index n) {
        on.picture.words(p, "{}", {.ink = Ink::muted, .size = 0.75f * em, .align = align}, {count_of(what, n)});
    };
    for (int r = 0; r < rows; r += 2)
        number({beside.x1 - 0.4f * em, cell_rect(room, cells, r, 0).centre().y + 0.28f * em}, Align::right, "batch",
               Index{1} << (rows - 1 - r));
    for (const int c : {0, columns / 2, columns - 1}) {
        const Align align = c == 0 ? Align::left : c == columns - 1 ? Align::right : Align::centre;
        const Rect cell = cell_rect(room, cells, 0, c);
        number({align == Align::left    ? cell.x0
                : align == Align::right ? cell.x1
                                        : cell.centre().x,
                below.y0 + 1.1f * em},
               align, "tokens", shortest_context << c);
    }
}

} // namespace headroom
