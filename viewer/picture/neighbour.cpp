#include "viewer/picture/neighbour.h"

namespace headroom {
namespace {

std::optional<Rect> place_in(const Mark& mark, const Heatmap& map, const Cell& cell)
{
    if (map.first.part != cell.part || map.first.lane != cell.lane || map.first.head != cell.head) return std::nullopt;
    std::int32_t row = cell.row - map.first.row, column = cell.column - map.first.column;
    if (map.transposed) std::swap(row, column);
    row /= map.row_stride;
    column /= map.column_stride;
    if (row < 0 || column < 0 || row >= map.rows || column >= map.columns) return std::nullopt;
    return cell_rect(mark.at, map, row, column);
}

} // namespace

std::optional<Rect> place_of(const Picture& picture, const Cell& cell)
{
    if (cell.part == Part::none) return std::nullopt;
    for (auto mark = picture.marks.rbegin(); mark != picture.marks.rend(); ++mark) {
        if (mark->kind == Mark::Kind::heatmap) {
            if (const auto at = place_in(*mark, picture.heatmaps[static_cast<std::size_t>(mark->heatmap)], cell))
                return at;
        } else if (mark->cell == cell) {
            return mark->at;
        }
    }
    return std::nullopt;
}

Cell neighbour(const Picture& picture, const Cell& cell, int right, int down)
{
    const std::optional<Rect> at = place_of(picture, cell);
    if (!at) return cell;
    const float longest = right != 0 ? picture.size.width() / 2 : picture.size.height() / 2;
    const float beyond = (right != 0 ? at->width() : at->height()) / 2;
    const Point from = at->centre();
    for (float way = beyond + 0.5f; way < longest; way += 1) {
        const Cell next =
            picture.hit({from.x + static_cast<float>(right) * way, from.y + static_cast<float>(down) * way});
        if (next.part == cell.part && next.lane == cell.lane && next != cell) return next;
        if (next.part != Part::none && next != cell) return cell;
    }
    return cell;
}

} // namespace headroom
