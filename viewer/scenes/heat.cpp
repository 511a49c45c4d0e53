#include "viewer/scenes/heat.h"

#include <algorithm>
#include <cmath>

namespace headroom {
namespace {

// A power of two, so that blocks of magnitudes are used whole; each drawn cell gets three pixels or more.
std::int32_t stride_for(Index cells, float pixels)
{
    constexpr float least_pixels = 3;
    std::int32_t stride = 1;
    while (static_cast<float>((cells + stride - 1) / stride) > std::max(pixels / least_pixels, 1.0f)) stride *= 2;
    return stride;
}

std::int32_t drawn(Index cells, std::int32_t stride)
{
    return static_cast<std::int32_t>((cells + stride - 1) / stride);
}

} // namespace

Heatmap heat(const Magnitudes& numbers, Slice s, Rect at, double scale)
{
    const std::int32_t row_stride = stride_for(s.rows, s.transposed ? at.width() : at.height()),
                       column_stride = stride_for(numbers.columns(), s.transposed ? at.height() : at.width());
    const std::int32_t rows = drawn(s.rows, row_stride), columns = drawn(numbers.columns(), column_stride);
    Heatmap map{.first = {},
                .rows = s.transposed ? columns : rows,
                .columns = s.transposed ? rows : columns,
                .transposed = s.transposed,
                .position = {},
                .row_stride = s.transposed ? column_stride : row_stride,
                .column_stride = s.transposed ? row_stride : column_stride};
    map.position.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
    const Index end = s.row0 + s.rows;
    for (std::int32_t r = 0; r < rows; ++r)
        for (std::int32_t c = 0; c < columns; ++c) {
            const Index row = s.row0 + Index{r} * row_stride, column = Index{c} * column_stride;
            const float most = numbers.largest(row, std::min(end, row + row_stride), column, column + column_stride);
            map.position[static_cast<std::size_t>(s.transposed ? c * rows + r : r * columns + c)] =
                most < 0 ? std::nanf("") : most / static_cast<float>(scale);
        }
    return map;
}

Heatmap heat_row(std::span<const double> numbers, Rect at, double scale)
{
    const auto n = static_cast<Index>(numbers.size());
    const std::int32_t stride = stride_for(n, at.width());
    Heatmap map{.first = {}, .rows = 1, .columns = drawn(n, stride), .position = {}, .column_stride = stride};
    for (Index c = 0; c < n; c += stride) {
        double most = -1; // NaN alone stays without a magnitude
        for (Index i = c; i < std::min(n, c + stride); ++i)
            most = std::max(most, std::fabs(numbers[static_cast<std::size_t>(i)]));
        map.position.push_back(most < 0 ? std::nanf("") : static_cast<float>(most / scale));
    }
    return map;
}

PartOfMap part_of(const Heatmap& map, Rect at, const CellRange& range)
{
    // Along each drawn axis: the first and the last drawn cell that touch the range.
    const auto span = [](std::int32_t first, std::int32_t stride, std::int32_t n, std::int32_t from, std::int32_t to) {
        const std::int32_t begin = std::max(0, from - first) / stride;
        const std::int32_t end =
            to <= first ? 0 : static_cast<std::int32_t>(std::min<Index>(n, (Index{to} - first + stride - 1) / stride));
        return std::pair{std::min(begin, n), end};
    };
    const Cell& f = map.first;
    const auto [row0, row1] = map.transposed ? span(f.column, map.row_stride, map.rows, range.column0, range.column1)
                                             : span(f.row, map.row_stride, map.rows, range.row0, range.row1);
    const auto [column0, column1] = map.transposed
                                        ? span(f.row, map.column_stride, map.columns, range.row0, range.row1)
                                        : span(f.column, map.column_stride, map.columns, range.column0, range.column1);
    if (row0 >= row1 || column0 >= column1) return {};
    const Rect first = cell_rect(at, map, row0, column0), last = cell_rect(at, map, row1 - 1, column1 - 1);
    PartOfMap part{{first.x0, first.y0, last.x1, last.y1}, map};
    part.map.first = cell_of(map, row0, column0);
    part.map.rows = row1 - row0;
    part.map.columns = column1 - column0;
    part.map.position.clear();
    for (std::int32_t r = row0; r < row1; ++r)
        for (std::int32_t c = column0; c < column1; ++c)
            part.map.position.push_back(map.position[static_cast<std::size_t>(r * map.columns + c)]);
    return part;
}

} // namespace headroom
