#include "viewer/picture/picture.h"

#include <array>
#include <stdexcept>
#include <utility>

namespace headroom {

std::string_view part_name(Part part)
{
    static constexpr std::array names{"none",   "q",    "k",     "v",     "scores", "weights",
                                      "output", "slot", "error", "model", "access"};
    return names[static_cast<std::size_t>(part)];
}

Mark& Picture::fill(Rect at, Ink ink, float radius)
{
    marks.push_back({.kind = Mark::Kind::fill, .at = at, .ink = ink, .radius = radius, .cell = {}});
    return marks.back();
}

Mark& Picture::frame(Rect at, Ink ink, float width, float radius)
{
    marks.push_back({.kind = Mark::Kind::frame, .at = at, .ink = ink, .width = width, .radius = radius, .cell = {}});
    return marks.back();
}

Mark& Picture::line(Point from, Point to, Ink ink, float width)
{
    marks.push_back(
        {.kind = Mark::Kind::line, .at = {from.x, from.y, to.x, to.y}, .ink = ink, .width = width, .cell = {}});
    return marks.back();
}

Mark& Picture::curve(Point from, Point to, Ink ink, float width)
{
    marks.push_back(
        {.kind = Mark::Kind::curve, .at = {from.x, from.y, to.x, to.y}, .ink = ink, .width = width, .cell = {}});
    return marks.back();
}

Mark& Picture::hatch(Rect at, Ink ink)
{
    marks.push_back({.kind = Mark::Kind::hatch, .at = at, .ink = ink, .cell = {}});
    return marks.back();
}

Mark& Picture::cross(Rect at, Ink ink, float width)
{
    marks.push_back({.kind = Mark::Kind::cross, .at = at, .ink = ink, .width = width, .cell = {}});
    return marks.back();
}

Mark& Picture::heatmap(Rect at, Heatmap map)
{
    if (static_cast<std::size_t>(map.rows) * static_cast<std::size_t>(map.columns) != map.position.size())
        throw std::logic_error("a heat map's rows x columns are not its values");
    heatmaps.push_back(std::move(map));
    marks.push_back(
        {.kind = Mark::Kind::heatmap, .at = at, .heatmap = static_cast<int>(heatmaps.size()) - 1, .cell = {}});
    return marks.back();
}

Rect Picture::words(Point at, std::string_view pattern, TextStyle style, const std::vector<Fact>& new_facts)
{
    Text text{.words = {}, .face = style.face};
    auto next = new_facts.begin();
    for (std::size_t from = 0; from <= pattern.size();) {
        const std::size_t brace = new_facts.empty() ? std::string_view::npos : pattern.find("{}", from);
        text.words += pattern.substr(from, brace - from);
        if (brace == std::string_view::npos) break;
        if (next == new_facts.end()) throw std::logic_error("a text has more {} than facts: " + std::string(pattern));
        text.facts.push_back(static_cast<int>(facts.size()));
        text.words += to_text(*next);
        facts.push_back(*next++);
        from = brace + 2;
    }
    if (next != new_facts.end()) throw std::logic_error("a text has more facts than {}: " + std::string(pattern));

    const float width = text_width(text.words, style.face, style.size);
    const float left = at.x - (style.align == Align::left ? 0 : style.align == Align::centre ? width / 2 : width);
    const Rect box{left, at.y - text_ascent * style.size, left + width, at.y + text_descent * style.size};
    texts.push_back(std::move(text));
    marks.push_back({.kind = Mark::Kind::text,
                     .at = box,
                     .ink = style.ink,
                     .width = style.size,
                     .text = static_cast<int>(texts.size()) - 1,
                     .cell = {}});
    return box;
}

Rect cell_rect(const Rect& at, const Heatmap& map, std::int32_t row, std::int32_t column)
{
    const auto x = [&](std::int32_t c) {
        return at.x0 + at.width() * static_cast<float>(c) / static_cast<float>(map.columns);
    };
    const auto y = [&](std::int32_t r) {
        return at.y0 + at.height() * static_cast<float>(r) / static_cast<float>(map.rows);
    };
    return {x(column), y(row), x(column + 1), y(row + 1)};
}

Cell cell_of(const Heatmap& map, std::int32_t row, std::int32_t column)
{
    Cell cell = map.first;
    row *= map.row_stride;
    column *= map.column_stride;
    cell.row += map.transposed ? column : row;
    cell.column += map.transposed ? row : column;
    return cell;
}

Cell Picture::hit(Point at) const
{
    for (auto mark = marks.rbegin(); mark != marks.rend(); ++mark) {
        if (!mark->at.contains(at)) continue;
        if (mark->kind == Mark::Kind::heatmap) {
            const Heatmap& map = heatmaps[static_cast<std::size_t>(mark->heatmap)];
            if (map.first.part == Part::none) continue;
            const auto row =
                static_cast<std::int32_t>((at.y - mark->at.y0) / mark->at.height() * static_cast<float>(map.rows));
            const auto column =
                static_cast<std::int32_t>((at.x - mark->at.x0) / mark->at.width() * static_cast<float>(map.columns));
            return cell_of(map, std::min(row, map.rows - 1), std::min(column, map.columns - 1));
        }
        if (mark->cell.part != Part::none) return mark->cell;
    }
    return {};
}

} // namespace headroom
