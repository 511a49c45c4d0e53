#include "viewer/export/svg.h"

#include "viewer/export/png.h"
#include <algorithm>
#include <fmt/format.h>

namespace headroom {
namespace {

std::string number(float x)
{
    std::string text = fmt::format("{:.2f}", x);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string escaped(std::string_view words)
{
    std::string out;
    for (const char c : words) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else
            out += c;
    }
    return out;
}

std::string_view family(Face face)
{
    return face == Face::mono ? "'JetBrains Mono', ui-monospace, monospace" : "Inter, 'Noto Sans CJK SC', sans-serif";
}

class Writer {
public:
    Writer(const Picture& picture, const Theme& theme) : picture_(picture), theme_(theme) {}

    std::string write()
    {
        const Rect& size = picture_.size;
        out_ = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n",
            number(size.width()), number(size.height()));
        out_ += fmt::format(
            "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
            "patternTransform=\"rotate(45)\"><path d=\"M0 0V6\" stroke=\"{}\" stroke-width=\"2\"/></pattern></defs>\n",
            hex(area_colour(theme_, Ink::faint)));
        out_ += highlights();
        out_ +=
            fmt::format("<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n", hex(area_colour(theme_, Ink::paper)));
        for (const Mark& mark : picture_.marks) write(mark);
        return out_ + "</svg>\n";
    }

private:
    // In a browser, pointing at a word that names a tensor dims the others, as in the window.
    std::string highlights() const
    {
        std::string rules;
        for (const Part part : {Part::q, Part::k, Part::v, Part::weights, Part::output}) {
            const auto says_it = [&](const Mark& m) { return m.kind == Mark::Kind::text && m.cell.part == part; };
            if (std::ranges::any_of(picture_.marks, says_it))
                rules += fmt::format("svg:has(.say-{0}:hover) .tensor:not(.{0}){{opacity:.25}}\n", part_name(part));
        }
        return rules.empty() ? "" : "<style>\n" + rules + "</style>\n";
    }

    void write(const Mark& m)
    {
        const std::string colour = hex(area_colour(theme_, m.ink));
        const std::string faded = m.opacity < 1 ? fmt::format(" opacity=\"{}\"", number(m.opacity)) : "";
        const std::string dashed =
            m.dash > 0 ? fmt::format(" stroke-dasharray=\"{} {}\"", number(m.dash), number(m.dash * 0.7f)) : "";
        const Rect& at = m.at;
        switch (m.kind) {
        case Mark::Kind::fill: rectangle(at, m.radius, fmt::format("fill=\"{}\"{}", colour, faded)); break;
        case Mark::Kind::frame:
            rectangle(at.inset(m.width / 2), m.radius,
                      fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}{}", colour, number(m.width),
                                  dashed, faded));
            break;
        case Mark::Kind::hatch: rectangle(at, m.radius, fmt::format("fill=\"url(#hatch)\"{}", faded)); break;
        case Mark::Kind::line:
            path(fmt::format("M{} {}L{} {}", number(at.x0), number(at.y0), number(at.x1), number(at.y1)), m, colour,
                 dashed + faded);
            break;
        case Mark::Kind::cross:
            path(fmt::format("M{0} {1}L{2} {3}M{0} {3}L{2} {1}", number(at.x0), number(at.y0), number(at.x1),
                             number(at.y1)),
                 m, colour, faded);
            break;
        case Mark::Kind::curve: {
            const std::string middle = number((at.x0 + at.x1) / 2);
            path(fmt::format("M{} {}C{} {} {} {} {} {}", number(at.x0), number(at.y0), middle, number(at.y0), middle,
                             number(at.y1), number(at.x1), number(at.y1)),
                 m, colour, dashed + faded);
            break;
        }
        case Mark::Kind::text: text(m); break;
        case Mark::Kind::heatmap: heatmap(m); break;
        }
    }

    void rectangle(const Rect& at, float radius, const std::string& paint)
    {
        const std::string round = radius > 0 ? fmt::format(" rx=\"{}\"", number(radius)) : "";
        out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{} {}/>\n", number(at.x0), number(at.y0),
                            number(at.width()), number(at.height()), round, paint);
    }

    void path(const std::string& d, const Mark& m, const std::string& colour, const std::string& more)
    {
        out_ +=
            fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\"{}/>\n",
                        d, colour, number(m.width), more);
    }

    void text(const Mark& m)
    {
        const Text& t = picture_.texts[static_cast<std::size_t>(m.text)];
        if (t.words.empty()) return;
        out_ +=
            fmt::format("<text{} x=\"{}\" y=\"{}\" font-family=\"{}\" font-size=\"{}\"{} fill=\"{}\" textLength=\"{}\" "
                        "lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\">{}</text>\n",
                        names_tensor(m.cell) ? fmt::format(" class=\"say-{}\"", part_name(m.cell.part)) : "",
                        number(m.at.x0), number(m.at.y0 + text_ascent * m.width), family(t.face), number(m.width),
                        t.face == Face::bold ? " font-weight=\"600\"" : "", hex(text_colour(theme_, m.ink)),
                        number(m.at.width()), escaped(t.words));
    }

    // Which numbers these are, for who reads the file: "k,1,0,0,0" is where the first cell lies in the recording.
    static std::string attributes(const Cell& first, float opacity)
    {
        std::string list = opacity < 1 ? fmt::format(" opacity=\"{}\"", number(opacity)) : "";
        if (first.part != Part::none)
            list += fmt::format(" class=\"tensor {0}\" data-first=\"{0},{1},{2},{3},{4}\"", part_name(first.part),
                                first.lane, first.head, first.row, first.column);
        return list;
    }

    // A path for each cell, or for a run of one colour where no gaps part them; cells below two pixels are blended
    // into an image instead.
    void heatmap(const Mark& m)
    {
        const Heatmap& map = picture_.heatmaps[static_cast<std::size_t>(m.heatmap)];
        if (map.rows == 0 || map.columns == 0) return;
        const float cell_width = m.at.width() / static_cast<float>(map.columns),
                    cell_height = m.at.height() / static_cast<float>(map.rows);
        if (std::min(cell_width, cell_height) < 2) {
            out_ +=
                fmt::format("<image{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
                            "href=\"data:image/png;base64,{}\"/>\n",
                            attributes(map.first, m.opacity), number(m.at.x0), number(m.at.y0), number(m.at.width()),
                            number(m.at.height()), base64(heatmap_png(map, theme_, m.at.width(), m.at.height())));
            return;
        }
        out_ += fmt::format("<g shape-rendering=\"crispEdges\"{}>\n", attributes(map.first, m.opacity));
        const float gap = std::min(map.gap, std::min(cell_width, cell_height) * 0.2f);
        for (std::int32_t row = 0; row < map.rows; ++row)
            for (std::int32_t column = 0; column < map.columns; ++column) {
                const auto colour_of = [&](std::int32_t c) {
                    return hex(ramp_colour(theme_, map, map.position[static_cast<std::size_t>(row * map.columns + c)]));
                };
                Rect cell = cell_rect(m.at, map, row, column);
                const std::string colour = colour_of(column);
                while (gap <= 0 && column + 1 < map.columns && colour_of(column + 1) == colour)
                    cell.x1 = cell_rect(m.at, map, row, ++column).x1;
                cell.x1 -= gap;
                cell.y1 -= gap;
                out_ += fmt::format("<path d=\"M{} {}h{}v{}H{}z\" fill=\"{}\"/>\n", number(cell.x0), number(cell.y0),
                                    number(cell.width()), number(cell.height()), number(cell.x0), colour);
            }
        out_ += "</g>\n";
    }

    const Picture& picture_;
    const Theme& theme_;
    std::string out_;
};

} // namespace

std::string svg(const Picture& picture, const Theme& theme) { return Writer(picture, theme).write(); }

} // namespace headroom
