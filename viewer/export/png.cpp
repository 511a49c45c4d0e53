#include "viewer/export/png.h"

#include "viewer/export/fonts.h"
#include <cmath>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#if __has_include(<stb/stb_image_write.h>)
#include <stb/stb_image_write.h>
#else
#include <stb_image_write.h>
#endif
#pragma GCC diagnostic pop

namespace headroom {
namespace {

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

float clamped(float coverage) { return std::fmin(std::fmax(coverage, 0.0f), 1.0f); }

// Signed distance to a rectangle with rounded corners; negative inside.
float distance_to(const Rect& r, float radius, float x, float y)
{
    const float round = std::min(radius, std::min(r.width(), r.height()) / 2);
    const float dx = std::fabs(x - (r.x0 + r.x1) / 2) - r.width() / 2 + round,
                dy = std::fabs(y - (r.y0 + r.y1) / 2) - r.height() / 2 + round;
    return std::hypot(std::fmax(dx, 0.0f), std::fmax(dy, 0.0f)) + std::fmin(std::fmax(dx, dy), 0.0f) - round;
}

// Square corners: the exact part of the pixel that the rectangle covers.
float overlap_of(const Rect& r, float x, float y)
{
    const float w = std::fmin(r.x1, x + 0.5f) - std::fmax(r.x0, x - 0.5f),
                h = std::fmin(r.y1, y + 0.5f) - std::fmax(r.y0, y - 0.5f);
    return w > 0 && h > 0 ? w * h : 0;
}

// Distance to a line and how far along it the nearest point lies.
struct OnLine {
    float distance, along;
};
OnLine on_line(Point a, Point b, float x, float y)
{
    const float dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    const float part = length2 > 0 ? clamped(((x - a.x) * dx + (y - a.y) * dy) / length2) : 0;
    return {std::hypot(x - a.x - part * dx, y - a.y - part * dy), part * std::sqrt(length2)};
}

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

std::vector<std::byte> png(const Image& image)
{
    std::vector<std::byte> file;
    const auto append = [](void* to, void* data, int size) {
        const auto* bytes = static_cast<const std::byte*>(data);
        static_cast<std::vector<std::byte>*>(to)->insert(static_cast<std::vector<std::byte>*>(to)->end(), bytes,
                                                         bytes + size);
    };
    stbi_write_png_to_func(append, &file, image.width, image.height, 3, image.rgb.data(), image.width * 3);
    return file;
}

std::vector<std::byte> heatmap_png(const Heatmap& map, const Theme& theme, float width, float height)
{
    Picture picture;
    picture.size = {0, 0, std::clamp(std::ceil(width), 1.0f, static_cast<float>(map.columns)),
                    std::clamp(std::ceil(height), 1.0f, static_cast<float>(map.rows))};
    Heatmap bare = map;
    bare.gap = 0;
    picture.heatmap(picture.size, bare);
    return png(rasterise(picture, theme));
}

std::string base64(std::span<const std::byte> bytes)
{
    static constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        unsigned group = 0;
        for (std::size_t j = 0; j < 3; ++j)
            group = group << 8 | (i + j < bytes.size() ? std::to_integer<unsigned>(bytes[i + j]) : 0);
        for (std::size_t j = 0; j < 4; ++j) text += i + j <= bytes.size() ? digits[group >> (18 - 6 * j) & 63] : '=';
    }
    return text;
}

} // namespace headroom
