// The long run as a picture: ms of one more token over the length of the text, both axes logarithmic.
#include "cli/bench_output.h"

#include "reference/tensor/files.h"
#include "viewer/export/svg.h"
#include <array>
#include <cmath>

namespace headroom {
namespace {

constexpr Rect page{0, 0, 1000, 640}, plot{90, 70, 780, 560};
constexpr std::array inks{Ink::q, Ink::k, Ink::v};

struct Axes {
    double x_from, x_to, y_from, y_to; // base-10 logarithms
    float x(double value) const
    {
        return plot.x0 + plot.width() * static_cast<float>((std::log10(value) - x_from) / (x_to - x_from));
    }
    float y(double value) const
    {
        return plot.y1 - plot.height() * static_cast<float>((std::log10(value) - y_from) / (y_to - y_from));
    }
};

Axes axes_for(const std::vector<LongPoint>& points, const std::vector<Index>& lengths)
{
    double least = 1e300, most = 1e-300;
    for (const LongPoint& p : points) {
        least = std::min({least, p.row.time.least, p.row.time.limit});
        most = std::max({most, p.row.time.most, p.row.time.limit});
    }
    return {std::log10(static_cast<double>(lengths.front())) - 0.1,
            std::log10(static_cast<double>(lengths.back())) + 0.1, std::floor(std::log10(least)),
            std::ceil(std::log10(most))};
}

void draw_axes(Picture& picture, const Axes& axes, const std::vector<Index>& lengths)
{
    picture.fill(page, Ink::paper);
    picture.words({40, 36}, "What one more token costs, computed again or from a cache",
                  {.size = 20, .face = Face::bold});
    picture.words({40, 58},
                  "ms, one attention layer; bars from the fastest to the slowest launch; dashed: the machine's limit",
                  {.ink = Ink::muted, .size = 13});
    for (double power = axes.y_from; power <= axes.y_to; power += 1) {
        const double ms = std::pow(10, power);
        picture.line({plot.x0, axes.y(ms)}, {plot.x1, axes.y(ms)}, Ink::rule);
        picture.words({plot.x0 - 8, axes.y(ms) + 5}, "{}", {.ink = Ink::muted, .size = 13, .align = Align::right},
                      {{"ms", ms, Unit::none, Fact::Origin::computed}});
    }
    for (const Index n : lengths) {
        picture.line({axes.x(static_cast<double>(n)), plot.y1}, {axes.x(static_cast<double>(n)), plot.y1 + 5},
                     Ink::muted);
        picture.words({axes.x(static_cast<double>(n)), plot.y1 + 22}, "{}",
                      {.ink = Ink::muted, .size = 13, .align = Align::centre},
                      {{"tokens", static_cast<double>(n), Unit::count, Fact::Origin::computed}});
    }
    picture.words({plot.centre().x, plot.y1 + 48}, "tokens", {.size = 14, .align = Align::centre});
}

void draw_series(Picture& picture, const Axes& axes, const std::vector<const LongPoint*>& series, Ink ink, int label)
{
    const LongPoint* before = nullptr;
    for (const LongPoint* p : series) {
        const float x = axes.x(static_cast<double>(p->tokens)), y = axes.y(p->row.time.median);
        if (before) {
            const float from = axes.x(static_cast<double>(before->tokens));
            Mark& line = picture.line({from, axes.y(before->row.time.median)}, {x, y}, ink, 2);
            line.dash = 0;
            picture.line({from, axes.y(before->row.time.limit)}, {x, axes.y(p->row.time.limit)}, ink, 1).dash = 4;
        }
        picture.line({x, axes.y(p->row.time.least)}, {x, axes.y(p->row.time.most)}, ink, 1);
        picture.fill({x - 3, y - 3, x + 3, y + 3}, ink, 3);
        before = p;
    }
    const float y = plot.y0 + 22 * static_cast<float>(label);
    picture.fill({plot.x1 + 16, y - 6, plot.x1 + 36, y - 2}, ink);
    picture.words({plot.x1 + 44, y}, before->heads + (before->cached ? ", cache" : ", recompute"), {.size = 13});
    if (!before->cached) picture.fill({plot.x1 + 23, y - 9, plot.x1 + 29, y + 1}, ink, 1);
}

} // namespace

void plot_long(const std::vector<LongPoint>& points, const std::vector<Index>& lengths,
               const std::filesystem::path& svg_file)
{
    const Axes axes = axes_for(points, lengths);
    Picture picture{.size = page, .marks = {}, .texts = {}, .facts = {}, .heatmaps = {}};
    draw_axes(picture, axes, lengths);
    int label = 0;
    for (std::size_t at = 0; at < points.size();) {
        std::vector<const LongPoint*> series;
        for (; at < points.size() && (series.empty() || (points[at].heads == series.front()->heads &&
                                                         points[at].cached == series.front()->cached));
             ++at)
            series.push_back(&points[at]);
        draw_series(picture, axes, series, inks[static_cast<std::size_t>(label) % inks.size()], label);
        ++label;
    }
    write_file(svg_file, svg(picture, theme("light")));
}

} // namespace headroom
