#include "viewer/app/imgui_paint.h"

#include <algorithm>
#include <cmath>

namespace headroom {
namespace {

ImVec2 vec(Point p) { return {p.x, p.y}; }
ImVec2 near_corner(const Rect& r) { return {r.x0, r.y0}; }
ImVec2 far_corner(const Rect& r) { return {r.x1, r.y1}; }

class Painter {
public:
    Painter(ImDrawList& list, const Picture& picture, const Theme& theme, GlyphAtlas& glyphs, float zoom)
        : list_(list), picture_(picture), theme_(theme), glyphs_(glyphs), zoom_(zoom)
    {}

    void shape(const Mark& m)
    {
        const ImU32 colour = packed(area_colour(theme_, m.ink), m.opacity);
        const Rect& at = m.at;
        switch (m.kind) {
        case Mark::Kind::fill: fill(m); break;
        case Mark::Kind::frame:
            list_.AddRect(near_corner(at.inset(m.width / 2)), far_corner(at.inset(m.width / 2)), colour, m.radius, 0,
                          m.width);
            break;
        case Mark::Kind::line: line({at.x0, at.y0}, {at.x1, at.y1}, colour, m.width, m.dash); break;
        case Mark::Kind::curve: {
            const float middle = (at.x0 + at.x1) / 2;
            list_.AddBezierCubic({at.x0, at.y0}, {middle, at.y0}, {middle, at.y1}, {at.x1, at.y1}, colour, m.width);
            break;
        }
        case Mark::Kind::hatch: hatch(at, packed(area_colour(theme_, Ink::faint), m.opacity)); break;
        case Mark::Kind::cross:
            line({at.x0, at.y0}, {at.x1, at.y1}, colour, m.width, 0);
            line({at.x0, at.y1}, {at.x1, at.y0}, colour, m.width, 0);
            break;
        case Mark::Kind::heatmap: heatmap(picture_.heatmaps[static_cast<std::size_t>(m.heatmap)], at, m.opacity); break;
        case Mark::Kind::text: break;
        }
    }

    // Where the layout put each character, on whole pixels.
    void text(const Mark& m)
    {
        const Text& t = picture_.texts[static_cast<std::size_t>(m.text)];
        const ImU32 colour = packed(text_colour(theme_, m.ink), m.opacity);
        const float size = m.width * zoom_, base_line = std::round((m.at.y0 + text_ascent * m.width) * zoom_);
        const auto count = static_cast<int>(t.words.size()); // at least as many as there are characters
        if (count == 0) return;
        list_.PrimReserve(count * 6, count * 4);
        int painted = 0;
        std::string_view rest = t.words;
        float pen = m.at.x0 * zoom_;
        while (!rest.empty()) {
            const std::string_view before = rest;
            const char32_t code = take_code_point(rest);
            const GlyphAtlas::Place& g = glyphs_.place(code, t.face, size);
            if (g.width > 0) {
                const float x = std::round(pen) + g.x, y = base_line + g.y;
                list_.PrimRectUV({x / zoom_, y / zoom_}, {(x + g.width) / zoom_, (y + g.height) / zoom_}, {g.u0, g.v0},
                                 {g.u1, g.v1}, colour);
                ++painted;
            }
            pen += text_width(before.substr(0, before.size() - rest.size()), t.face, size);
        }
        list_.PrimUnreserve((count - painted) * 6, (count - painted) * 4);
    }

private:
    // What is thinner than a pixel covers a whole one in part, or of many thin gaps some would be drawn and some not.
    void fill(const Mark& m)
    {
        Rect at = m.at;
        float covered = 1;
        const auto widen = [&](float& from, float& to) {
            const float pixels = (to - from) * zoom_;
            if (pixels <= 0 || pixels >= 1) return;
            from = std::floor((from + to) / 2 * zoom_) / zoom_;
            to = from + 1 / zoom_;
            covered *= pixels;
        };
        if (m.radius <= 0) {
            widen(at.x0, at.x1);
            widen(at.y0, at.y1);
        }
        const ImU32 colour = packed(area_colour(theme_, m.ink), m.opacity * covered);
        list_.AddRectFilled(near_corner(at), far_corner(at), colour, m.radius);
    }

    void line(Point from, Point to, ImU32 colour, float width, float dash)
    {
        const float length = std::hypot(to.x - from.x, to.y - from.y);
        if (dash <= 0 || length <= dash) return list_.AddLine(vec(from), vec(to), colour, width);
        const auto along = [&](float way) {
            const float part = std::min(1.0f, way / length);
            return ImVec2{from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part};
        };
        for (float way = 0; way < length; way += 1.7f * dash)
            list_.AddLine(along(way), along(way + dash), colour, width);
    }

    // Lines from the lower left to the upper right, cut at the rectangle's edges without a clipping rectangle each.
    void hatch(const Rect& r, ImU32 colour)
    {
        constexpr float period = 8.485f; // as far apart as in the other formats
        for (float sum = std::ceil((r.x0 + r.y0) / period) * period; sum < r.x1 + r.y1; sum += period) {
            const float x0 = std::max(r.x0, sum - r.y1), x1 = std::min(r.x1, sum - r.y0);
            if (x0 < x1) list_.AddLine({x0, sum - x0}, {x1, sum - x1}, colour, 2);
        }
    }

    // Rectangles of one row at a time, runs of one colour joined where cells have no gap.
    void heatmap(const Heatmap& map, const Rect& at, float opacity)
    {
        if (map.rows == 0 || map.columns == 0 || at.width() <= 0 || at.height() <= 0) return;
        const float smaller =
            std::min(at.width() / static_cast<float>(map.columns), at.height() / static_cast<float>(map.rows));
        const bool snaps = smaller >= 3; // then every gap is as wide, or heads would look different that are not
        const float narrow = smaller < 2 ? 0 : std::min(map.gap, smaller * 0.2f);
        const float gap = snaps && narrow > 0 ? std::max(1.0f, std::round(narrow)) : narrow;
        std::vector<ImU32> ramp(257); // the last one: an empty slot
        for (int i = 0; i < 256; ++i)
            ramp[static_cast<std::size_t>(i)] = packed(ramp_colour(theme_, map, static_cast<float>(i) / 255), opacity);
        ramp[256] = packed(ramp_colour(theme_, map, std::nanf("")), opacity);
        const auto colour_of = [&](std::int32_t row, std::int32_t column) {
            const float p = map.position[static_cast<std::size_t>(row) * static_cast<std::size_t>(map.columns) +
                                         static_cast<std::size_t>(column)];
            return ramp[std::isnan(p) ? 256 : static_cast<std::size_t>(std::clamp(p, 0.0f, 1.0f) * 255 + 0.5f)];
        };
        const std::int32_t piece = 8192; // fewer than 65,536 vertices at once
        for (std::int32_t row = 0; row < map.rows; ++row)
            for (std::int32_t from = 0; from < map.columns; from += piece) {
                const std::int32_t until = std::min(map.columns, from + piece);
                list_.PrimReserve((until - from) * 6, (until - from) * 4);
                int spared = 0;
                for (std::int32_t column = from; column < until; ++column) {
                    Rect cell = cell_rect(at, map, row, column);
                    const ImU32 colour = colour_of(row, column);
                    while (gap == 0 && column + 1 < until && colour_of(row, column + 1) == colour) {
                        cell.x1 = cell_rect(at, map, row, ++column).x1;
                        ++spared;
                    }
                    if (snaps)
                        cell = {std::round(cell.x0), std::round(cell.y0), std::round(cell.x1), std::round(cell.y1)};
                    cell.x1 -= gap;
                    cell.y1 -= gap;
                    list_.PrimRect(near_corner(cell), far_corner(cell), colour);
                }
                list_.PrimUnreserve(spared * 6, spared * 4);
            }
    }

    ImDrawList& list_;
    const Picture& picture_;
    const Theme& theme_;
    GlyphAtlas& glyphs_;
    float zoom_;
};

} // namespace

ImU32 packed(Colour c, float opacity)
{
    const auto byte = [](float x) { return static_cast<ImU32>(std::lround(std::clamp(x, 0.0f, 1.0f) * 255)); };
    return IM_COL32(byte(c.r), byte(c.g), byte(c.b), byte(opacity));
}

void paint(ImDrawList& list, const Picture& picture, const Theme& theme, GlyphAtlas& glyphs, ImTextureID texture,
           float zoom)
{
    Painter painter(list, picture, theme, glyphs, zoom);
    for (const Mark& mark : picture.marks) painter.shape(mark);
    push_texture(list, texture);
    for (const Mark& mark : picture.marks)
        if (mark.kind == Mark::Kind::text) painter.text(mark);
    pop_texture(list);
}

} // namespace headroom
