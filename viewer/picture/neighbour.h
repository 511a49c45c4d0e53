// Where a picture shows a cell, and which cell lies beside it: how the arrow keys walk through any scene.
#pragma once
#include "viewer/picture/picture.h"
#include <optional>

namespace headroom {

std::optional<Rect> place_of(const Picture& picture, const Cell& cell); // of the topmost mark that shows it

// The next cell of the same tensor to the left (-1, 0), right, above (0, -1) or below; across gaps, never across another
// tensor's panel. The cell itself where there is none.
Cell neighbour(const Picture& picture, const Cell& cell, int right, int down);

} // namespace headroom
