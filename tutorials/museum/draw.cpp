#include "tutorials/museum/draw.h"

#include <algorithm>
#include <cmath>

namespace headroom::museum {
namespace {

constexpr float em = 15, row_height = 28, label_width = 125, result_width = 125;

Fact number(std::string_view what, double value)
{
    const bool whole = value == std::floor(value) && std::fabs(value) >= 1000;
    return {.what = std::string(what), .number = value, .unit = whole ? Unit::count : Unit::none};
}

struct Panel {
    const Exhibit& exhibit;
    std::vector<Row> rows, right; // what is drawn, and what should be
    double largest;               // of the results, for their bars
    bool chinese;
};

// One number for each cell of a row: how much of that column is in the result.
void draw_weights(Picture& picture, Rect at, const std::vector<double>& weights)
{
    Heatmap map{.first = {},
                .rows = 1,
                .columns = static_cast<std::int32_t>(weights.size()),
                .ink = Ink::weights,
                .position = {},
                .gap = 2};
    for (const double weight : weights) map.position.push_back(std::isnan(weight) ? 0 : static_cast<float>(weight));
    picture.heatmap(at, map);
    for (std::int32_t c = 0; c < map.columns; ++c) {
        const Rect cell = cell_rect(at, map, 0, c).inset(1);
        if (std::isnan(weights[static_cast<std::size_t>(c)])) picture.hatch(cell, Ink::warning);
    }
}

void draw_bar(Picture& picture, Rect at, double value, double largest, Ink ink)
{
    if (!std::isfinite(value) || largest == 0) return void(picture.hatch(at.inset(0, 5), ink));
    const float part = static_cast<float>(std::fabs(value) / largest);
    picture.fill({at.x0, at.y0 + 6, at.x0 + std::max(1.0f, part * at.width()), at.y1 - 6}, ink, 2);
}

void draw(Picture& picture, Rect at, const Panel& p, std::string_view title)
{
    picture.fill(at, Ink::panel, 8);
    Rect room = at.inset(14, 10);
    const Rect head = room.cut_top(44);
    picture.words({head.x0, head.y0 + em}, title, {.size = em, .face = Face::bold});
    picture.words({head.x1, head.y1 - 6}, p.exhibit.result.in(p.chinese), {Ink::muted, 12, Face::sans, Align::right});
    const Rect middle{room.x0 + label_width, room.y0, room.x1 - result_width, room.y1};
    if (const std::size_t columns = p.rows.front().weights.size(); columns > 0) {
        picture.words({middle.x0 - 8, head.y1 - 6}, p.exhibit.column.in(p.chinese),
                      {Ink::muted, 12, Face::sans, Align::right});
        for (std::size_t c = 0; c < columns; ++c)
            picture.words({middle.column(static_cast<int>(c), static_cast<int>(columns), 0).centre().x, head.y1 - 6},
                          "{}", {Ink::muted, 12, Face::sans, Align::centre},
                          {{.what = std::string(p.exhibit.column.in(p.chinese)),
                            .number = static_cast<double>(c),
                            .unit = Unit::index}});
    }
    for (std::size_t r = 0; r < p.rows.size(); ++r) {
        const Rect line = room.cut_top(row_height);
        const Row& row = p.rows[r];
        const bool wrong = !same(row.result, p.right[r].result);
        const Rect cells{middle.x0, line.y0 + 2, middle.x1, line.y1 - 2};
        picture.words({line.x0, line.y0 + 19}, p.exhibit.row.in(p.chinese), {.size = 13},
                      {{.what = std::string(p.exhibit.row.in(p.chinese)),
                        .number = static_cast<double>(row.index),
                        .unit = Unit::index}});
        if (row.weights.empty())
            draw_bar(picture, cells, row.result, p.largest, wrong ? Ink::warning : Ink::accent);
        else
            draw_weights(picture, cells, row.weights);
        picture.words({line.x1, line.y0 + 19}, "{}",
                      {wrong ? Ink::warning : Ink::ink, em, wrong ? Face::bold : Face::sans, Align::right},
                      {number(p.exhibit.result.in(p.chinese), row.result)});
    }
}

} // namespace

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

std::string with_index(std::string_view pattern, int index)
{
    std::string text(pattern);
    return text.replace(text.find("{}"), 2, std::to_string(index));
}

Picture draw(const Exhibit& exhibit, bool chinese)
{
    const std::vector<Row> right = exhibit.run(false), wrong = exhibit.run(true);
    double largest = 0;
    for (const auto* rows : {&right, &wrong})
        for (const Row& row : *rows)
            if (std::isfinite(row.result)) largest = std::max(largest, std::fabs(row.result));

    Picture picture;
    picture.size = {0, 0, 960, 118 + row_height * static_cast<float>(right.size())};
    Rect room = picture.size.inset(14, 10);
    const Rect head = room.cut_top(34);
    picture.words({head.x0, head.y0 + 20}, exhibit.title.in(chinese), {.size = 19, .face = Face::bold});
    picture.words({head.x1, head.y0 + 20}, "headroom tutorial museum " + std::string(exhibit.name),
                  {Ink::faint, 12, Face::mono, Align::right});
    draw(picture, room.column(0, 2, 14), {exhibit, right, right, largest, chinese}, chinese ? "正确" : "right");
    draw(picture, room.column(1, 2, 14), {exhibit, wrong, right, largest, chinese},
         chinese ? "有故障" : "with the fault");
    return picture;
}

} // namespace headroom::museum
