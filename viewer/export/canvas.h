// Pixels to paint on, each with the coverage of its centre, and the shapes' distances that coverage comes from.
#pragma once
#include "viewer/picture/theme.h"
#include <algorithm>
#include <cmath>
#include <vector>

namespace headroom {

struct Canvas {
    int width, height;
    std::vector<Colour> pixels;

    void blend(int x, int y, Colour colour, float coverage)
    {
        if (coverage <= 0 || x < 0 || y < 0 || x >= width || y >= height) return;
        Colour& pixel =
            pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
        pixel = mix(pixel, colour, std::min(coverage, 1.0f));
    }

    // Paints every pixel of a box with the coverage that `at(x, y)` gives its centre.
    template <class Coverage> void paint(const Rect& box, Colour colour, float opacity, Coverage at)
    {
        const int x0 = std::max(0, static_cast<int>(std::floor(box.x0 - 1))),
                  x1 = std::min(width, static_cast<int>(std::ceil(box.x1 + 1)));
        const int y0 = std::max(0, static_cast<int>(std::floor(box.y0 - 1))),
                  y1 = std::min(height, static_cast<int>(std::ceil(box.y1 + 1)));
        for (int y = y0; y < y1; ++y)
            for (int x = x0; x < x1; ++x)
                blend(x, y, colour, opacity * at(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f));
    }
};

inline float clamped(float coverage) { return std::fmin(std::fmax(coverage, 0.0f), 1.0f); }

// Signed distance to a rectangle with rounded corners; negative inside.
inline float distance_to(const Rect& r, float radius, float x, float y)
{
    const float round = std::min(radius, std::min(r.width(), r.height()) / 2);
    const float dx = std::fabs(x - (r.x0 + r.x1) / 2) - r.width() / 2 + round,
                dy = std::fabs(y - (r.y0 + r.y1) / 2) - r.height() / 2 + round;
    return std::hypot(std::fmax(dx, 0.0f), std::fmax(dy, 0.0f)) + std::fmin(std::fmax(dx, dy), 0.0f) - round;
}

// Square corners: the exact part of the pixel that the rectangle covers.
inline float overlap_of(const Rect& r, float x, float y)
{
    const float w = std::fmin(r.x1, x + 0.5f) - std::fmax(r.x0, x - 0.5f),
                h = std::fmin(r.y1, y + 0.5f) - std::fmax(r.y0, y - 0.5f);
    return w > 0 && h > 0 ? w * h : 0;
}

// Distance to a line and how far along it the nearest point lies.
struct OnLine {
    float distance, along;
};
inline OnLine on_line(Point a, Point b, float x, float y)
{
    const float dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    const float part = length2 > 0 ? clamped(((x - a.x) * dx + (y - a.y) * dy) / length2) : 0;
    return {std::hypot(x - a.x - part * dx, y - a.y - part * dy), part * std::sqrt(length2)};
}

} // namespace headroom
