// Points and rectangles of a picture, in logical pixels, y downwards; and the cuts that make a layout.
#pragma once
#include <algorithm>

namespace headroom {

struct Point {
    float x = 0, y = 0;
    bool operator==(const Point&) const = default;
};

struct Rect {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    bool operator==(const Rect&) const = default;

    float width() const { return x1 - x0; }
    float height() const { return y1 - y0; }
    Point centre() const { return {(x0 + x1) / 2, (y0 + y1) / 2}; }
    bool contains(Point p) const { return x0 <= p.x && p.x < x1 && y0 <= p.y && p.y < y1; }
    bool contains(Rect r) const { return x0 <= r.x0 && r.x1 <= x1 && y0 <= r.y0 && r.y1 <= y1; }
    bool overlaps(Rect r) const { return x0 < r.x1 && r.x0 < x1 && y0 < r.y1 && r.y0 < y1; }
    Rect inset(float dx, float dy) const { return {x0 + dx, y0 + dy, x1 - dx, y1 - dy}; }
    Rect inset(float by) const { return inset(by, by); }

    // Cuts a strip off this rectangle and returns it; the rest stays here.
    Rect cut_top(float by)
    {
        const Rect strip{x0, y0, x1, std::min(y0 + by, y1)};
        y0 = strip.y1;
        return strip;
    }
    Rect cut_bottom(float by)
    {
        const Rect strip{x0, std::max(y1 - by, y0), x1, y1};
        y1 = strip.y0;
        return strip;
    }
    Rect cut_left(float by)
    {
        const Rect strip{x0, y0, std::min(x0 + by, x1), y1};
        x0 = strip.x1;
        return strip;
    }
    Rect cut_right(float by)
    {
        const Rect strip{std::max(x1 - by, x0), y0, x1, y1};
        x1 = strip.x0;
        return strip;
    }
    // Column i of n that share this rectangle, `gap` apart; likewise a row.
    Rect column(int i, int n, float gap) const
    {
        const float each = (width() - gap * static_cast<float>(n - 1)) / static_cast<float>(n);
        const float left = x0 + static_cast<float>(i) * (each + gap);
        return {left, y0, left + each, y1};
    }
    Rect row(int i, int n, float gap) const
    {
        const float each = (height() - gap * static_cast<float>(n - 1)) / static_cast<float>(n);
        const float top = y0 + static_cast<float>(i) * (each + gap);
        return {x0, top, x1, top + each};
    }
};

} // namespace headroom
