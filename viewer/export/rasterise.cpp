#include "viewer/export/rasterise.h"

#include "viewer/export/canvas.h"
#include "viewer/export/fonts.h"
#include <cmath>
#include <memory>

namespace headroom {
namespace {

class Painter {
public:
    Painter(const Picture& picture, const Theme& theme, float zoom) : picture_(picture), theme_(theme), zoom_(zoom)
    {
        canvas_.width = static_cast<int>(std::lround(picture.size.width() * zoom));
        canvas_.height = static_cast<int>(std::lround(picture.size.height() * zoom));
        canvas_.pixels.assign(static_cast<std::size_t>(canvas_.width) * static_cast<std::size_t>(canvas_.height),
                              area_colour(theme, Ink::paper));
    }

    Image paint()
    {
        for (const Mark& mark : picture_.marks) paint(mark);
        Image image{canvas_.width, canvas_.height, {}};
        image.rgb.reserve(canvas_.pixels.size() * 3);
        for (const Colour& c : canvas_.pixels)
            for (const float part : {c.r, c.g, c.b})
                image.rgb.push_back(static_cast<std::uint8_t>(std::lround(part * 255)));
        return image;
    }

private:
    Rect scaled(const Rect& r) const { return {r.x0 * zoom_, r.y0 * zoom_, r.x1 * zoom_, r.y1 * zoom_}; }

    void paint(const Mark& m)
    {
        const Rect at = scaled(m.at);
        const Colour colour = area_colour(theme_, m.ink);
        const float width = m.width * zoom_, radius = m.radius * zoom_;
        switch (m.kind) {
        case Mark::Kind::fill:
            if (radius > 0)
                canvas_.paint(at, colour, m.opacity,
                              [&](float x, float y) { return clamped(0.5f - distance_to(at, radius, x, y)); });
            else
                canvas_.paint(at, colour, m.opacity, [&](float x, float y) { return overlap_of(at, x, y); });
            break;
        case Mark::Kind::frame: {
            const Rect inner = at.inset(width);
            canvas_.paint(at, colour, m.opacity, [&](float x, float y) {
                if (radius > 0)
                    return clamped(0.5f - distance_to(at, radius, x, y)) -
                           clamped(0.5f - distance_to(inner, radius - width, x, y));
                return overlap_of(at, x, y) - overlap_of(inner, x, y);
            });
            break;
        }
        case Mark::Kind::hatch:
            canvas_.paint(at, area_colour(theme_, Ink::faint), m.opacity, [&](float x, float y) {
                const float period = 6 * zoom_ * 1.41421356f, across = std::fmod(x + y, period);
                const float from_line = std::fabs(across - period / 2) * 0.70710678f;
                return overlap_of(at, x, y) * clamped(zoom_ + 0.5f - from_line);
            });
            break;
        case Mark::Kind::line:
            stroke({at.x0, at.y0}, {at.x1, at.y1}, colour, width, m.opacity, m.dash * zoom_, 0);
            break;
        case Mark::Kind::cross:
            stroke({at.x0, at.y0}, {at.x1, at.y1}, colour, width, m.opacity, 0, 0);
            stroke({at.x0, at.y1}, {at.x1, at.y0}, colour, width, m.opacity, 0, 0);
            break;
        case Mark::Kind::curve: curve(at, colour, width, m); break;
        case Mark::Kind::text: text(m, at); break;
        case Mark::Kind::heatmap: heatmap(picture_.heatmaps[static_cast<std::size_t>(m.heatmap)], at, m.opacity); break;
        }
    }

    void stroke(Point a, Point b, Colour colour, float width, float opacity, float dash, float before)
    {
        const Rect box{std::min(a.x, b.x) - width, std::min(a.y, b.y) - width, std::max(a.x, b.x) + width,
                       std::max(a.y, b.y) + width};
        canvas_.paint(box, colour, opacity, [&](float x, float y) {
            const OnLine near = on_line(a, b, x, y);
            if (dash > 0 && std::fmod(before + near.along, dash * 1.7f) > dash) return 0.0f;
            return clamped(width / 2 + 0.5f - near.distance);
        });
    }

    // Coverage of the whole curve at once, so that its pieces do not add up where they meet.
    void curve(const Rect& at, Colour colour, float width, const Mark& m)
    {
        constexpr int pieces = 24;
        std::vector<Point> points;
        for (int i = 0; i <= pieces; ++i) {
            const float t = static_cast<float>(i) / pieces, s = 1 - t, middle = (at.x0 + at.x1) / 2;
            points.push_back({s * s * s * at.x0 + 3 * s * t * middle + t * t * t * at.x1,
                              s * s * s * at.y0 + 3 * s * s * t * at.y0 + 3 * s * t * t * at.y1 + t * t * t * at.y1});
        }
        const Rect box{std::min(at.x0, at.x1) - width, std::min(at.y0, at.y1) - width, std::max(at.x0, at.x1) + width,
                       std::max(at.y0, at.y1) + width};
        canvas_.paint(box, colour, m.opacity, [&](float x, float y) {
            float nearest = width * 2 + 4;
            for (std::size_t i = 0; i < pieces; ++i) {
                if (x < points[i].x - width - 2 || x > points[i + 1].x + width + 2) continue;
                nearest = std::min(nearest, on_line(points[i], points[i + 1], x, y).distance);
            }
            return clamped(width / 2 + 0.5f - nearest);
        });
    }

    void text(const Mark& m, const Rect& at)
    {
        if (!fonts_) fonts_ = std::make_unique<Fonts>();
        const Text& t = picture_.texts[static_cast<std::size_t>(m.text)];
        const float size = m.width * zoom_, base_line = std::round(at.y0 + text_ascent * size);
        const Colour colour = text_colour(theme_, m.ink);
        std::string_view rest = t.words;
        while (!rest.empty()) {
            const float pen =
                at.x0 + text_width(std::string_view(t.words).substr(0, t.words.size() - rest.size()), t.face, size);
            const Glyph& glyph = fonts_->glyph(take_code_point(rest), t.face, size);
            for (int y = 0; y < glyph.height; ++y)
                for (int x = 0; x < glyph.width; ++x)
                    canvas_.blend(
                        static_cast<int>(std::lround(pen)) + glyph.x + x, static_cast<int>(base_line) + glyph.y + y,
                        colour,
                        m.opacity * static_cast<float>(glyph.coverage[static_cast<std::size_t>(y * glyph.width + x)]) /
                            255);
        }
    }

    void heatmap(const Heatmap& map, const Rect& at, float opacity)
    {
        if (map.rows == 0 || map.columns == 0) return;
        const float smaller =
            std::min(at.width() / static_cast<float>(map.columns), at.height() / static_cast<float>(map.rows));
        const bool snaps = smaller >= 3; // then every gap is as wide, or heads would look different that are not
        const float narrow = smaller < 2 ? 0 : std::min(map.gap * zoom_, smaller * 0.2f);
        const float gap = snaps && narrow > 0 ? std::max(1.0f, std::round(narrow)) : narrow;
        for (std::int32_t row = 0; row < map.rows; ++row)
            for (std::int32_t column = 0; column < map.columns; ++column) {
                Rect cell = cell_rect(at, map, row, column);
                if (snaps) cell = {std::round(cell.x0), std::round(cell.y0), std::round(cell.x1), std::round(cell.y1)};
                cell.x1 -= gap;
                cell.y1 -= gap;
                const Colour colour =
                    ramp_colour(theme_, map, map.position[static_cast<std::size_t>(row * map.columns + column)]);
                canvas_.paint(cell, colour, opacity, [&](float x, float y) { return overlap_of(cell, x, y); });
            }
    }

    const Picture& picture_;
    const Theme& theme_;
    float zoom_;
    Canvas canvas_{};
    std::unique_ptr<Fonts> fonts_;
};

} // namespace

Image rasterise(const Picture& picture, const Theme& theme, float zoom)
{
    return Painter(picture, theme, zoom).paint();
}

} // namespace headroom
