// Pixels as a PNG file, and as text to put into another file.
#pragma once
#include "viewer/export/rasterise.h"
#include <cstddef>
#include <span>
#include <string>

namespace headroom {

std::vector<std::byte> png(const Image& image);

// A heat map alone, a pixel for at most a pixel of width x height: what is smaller is averaged.
std::vector<std::byte> heatmap_png(const Heatmap& map, const Theme& theme, float width, float height);
std::string base64(std::span<const std::byte> bytes);

} // namespace headroom
