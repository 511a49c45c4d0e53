// A picture as PNG, painted by a small software rasteriser: no display and no GPU.
#pragma once
#include "viewer/picture/theme.h"
#include <cstddef>
#include <span>

namespace headroom {

struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb; // [height, width, 3]
};

// `zoom` pixels per logical pixel. Throws std::invalid_argument if a needed font is not installed (says which package).
Image rasterise(const Picture& picture, const Theme& theme, float zoom = 1);
std::vector<std::byte> png(const Image& image);

// A heat map alone, a pixel for at most a pixel of width x height: what is smaller is averaged.
std::vector<std::byte> heatmap_png(const Heatmap& map, const Theme& theme, float width, float height);
std::string base64(std::span<const std::byte> bytes);

} // namespace headroom
