// Heat maps of recorded tensors: a cell per number, or, where a cell would be below three pixels, a cell for the
// largest magnitude of several.
#pragma once
#include "viewer/picture/picture.h"
#include "viewer/scenes/magnitudes.h"

namespace headroom {

// Rows row0 … row0 + rows - 1 of a matrix in the rectangle `at`; transposed: rows run to the right.
struct Slice {
    Index row0 = 0, rows = 0;
    bool transposed = false;
};
Heatmap heat(const Magnitudes& numbers, Slice slice, Rect at, double scale);

// One row of numbers, each its own cell where there is room.
Heatmap heat_row(std::span<const double> numbers, Rect at, double scale);

// A part of a map's tensor, in rows and columns of the tensor.
struct CellRange {
    std::int32_t row0 = 0, row1 = 0, column0 = 0, column1 = 0; // row1, column1 are behind the last
    bool contains(std::int32_t row, std::int32_t column) const
    {
        return row0 <= row && row < row1 && column0 <= column && column < column1;
    }
};

// The drawn cells that hold something of a range: where they lie, and a map of them alone. Empty map: none.
struct PartOfMap {
    Rect at;
    Heatmap map;
};
PartOfMap part_of(const Heatmap& map, Rect at, const CellRange& range);

} // namespace headroom
