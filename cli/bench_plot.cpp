// The long run as a picture: ms of one more token over the length of the text, both axes logarithmic.
#include "cli/bench_output.h"

#include "cli/text.h"
#include "reference/tensor/files.h"
#include "viewer/export/svg.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace headroom {
namespace {

constexpr Rect page{0, 0, 1000, 640}, plot{100, 90, 800, 560};
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
    picture.words(
        {40, 58},
        "one attention layer; upright strokes: from the fastest to the slowest launch; dashed: the machine's limit",
        {.ink = Ink::muted, .size = 13});
    picture.words({plot.x0 - 8, plot.y0 - 14}, "ms", {.size = 14, .align = Align::right});
    for (double power = axes.y_from; power <= axes.y_to; power += 1) {
        const double ms = std::pow(10, power);
        picture.line({plot.x0, axes.y(ms)}, {plot.x1, axes.y(ms)}, Ink::rule);
        const std::string text = power < 0 ? fmt::format("{:g}", ms) : count_text(std::llround(ms));
        picture.words({plot.x0 - 8, axes.y(ms) + 5}, text, {.ink = Ink::muted, .size = 13, .align = Align::right});
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

using Series = std::vector<const LongPoint*>; // of one kind of heads, cached or not, by length

void draw_series(Picture& picture, const Axes& axes, const Series& series, Ink ink)
{
    const LongPoint* before = nullptr;
    for (const LongPoint* p : series) {
        const float x = axes.x(static_cast<double>(p->tokens)), y = axes.y(p->row.time.median);
        picture.line({x, axes.y(p->row.time.least)}, {x, axes.y(p->row.time.most)}, ink, 1);
        if (before) {
            const float from = axes.x(static_cast<double>(before->tokens));
            picture.line({from, axes.y(before->row.time.median)}, {x, y}, ink, 2);
            picture.line({from, axes.y(before->row.time.limit)}, {x, axes.y(p->row.time.limit)}, ink, 1).dash = 4;
        }
        picture.fill({x - 3, y - 3, x + 3, y + 3}, ink, 3);
        before = p;
    }
}

// Names beside the ends of the lines, moved apart where the lines are not, under a title.
void draw_names(Picture& picture, const Axes& axes, std::vector<std::pair<Series, Ink>> group, const std::string& title)
{
    std::ranges::sort(group, {}, [&](const auto& one) { return axes.y(one.first.back()->row.time.median); });
    constexpr float apart = 20;
    const float x = plot.x1 + 18;
    float y = std::max(plot.y0, axes.y(group.front().first.back()->row.time.median) - apart);
    picture.words({x, y - 16}, title, {.size = 14, .face = Face::bold});
    for (const auto& [series, ink] : group) {
        y = std::max(y, axes.y(series.back()->row.time.median));
        picture.fill({x, y - 2, x + 18, y + 2}, ink);
        picture.words({x + 26, y + 5}, series.front()->heads, {.size = 14});
        y += apart;
    }
}

} // namespace

void plot_long(const std::vector<LongPoint>& points, const std::vector<Index>& lengths,
               const std::filesystem::path& svg_file)
{
    const Axes axes = axes_for(points, lengths);
    Picture picture{.size = page, .marks = {}, .texts = {}, .facts = {}, .heatmaps = {}};
    draw_axes(picture, axes, lengths);
    std::vector<std::pair<Series, Ink>> again, from_cache;
    for (const LongPoint& point : points) {
        auto& group = point.cached ? from_cache : again;
        auto one = std::ranges::find_if(group, [&](const auto& g) { return g.first.front()->heads == point.heads; });
        if (one == group.end()) one = group.insert(one, {Series{}, inks[group.size() % inks.size()]});
        one->first.push_back(&point);
    }
    for (const auto* group : {&again, &from_cache})
        for (const auto& [series, ink] : *group) draw_series(picture, axes, series, ink);
    draw_names(picture, axes, again, "computed again");
    draw_names(picture, axes, from_cache, "from a cache");
    write_file(svg_file, svg(picture, theme("light")));
}

} // namespace headroom
