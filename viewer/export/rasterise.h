// A picture as pixels, painted by a small software rasteriser: no display and no GPU.
#pragma once
#include "viewer/picture/theme.h"
#include <cstdint>
#include <vector>

namespace headroom {

struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb; // [height, width, 3]
};

// `zoom` pixels per logical pixel. Throws std::invalid_argument if a needed font is not installed (says which package).
Image rasterise(const Picture& picture, const Theme& theme, float zoom = 1);

} // namespace headroom
