#include "reference/planning/chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace headroom {
namespace {

constexpr double width = 960, height = 560, left = 96, right = 716, top = 64, bottom = 488;
constexpr Index first_context = 256, samples_per_doubling = 8;

// Okabe and Ito's colours, which people with any colour vision tell apart; the dashes differ as well.
constexpr std::array colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
constexpr std::array dashes{"", "9 4", "3 3", "12 3 3 3", "5 5", "6 2 2 2 2 2", "16 6"};

struct Line {
    std::string name;
    std::vector<std::pair<double, double>> points; // tokens, bytes
};

std::string escaped(const std::string& text)
{
    std::string safe;
    for (const char c : text) {
        if (c == '<')
            safe += "&lt;";
        else if (c == '>')
            safe += "&gt;";
        else if (c == '&')
            safe += "&amp;";
        else if (c == '"')
            safe += "&quot;";
        else if (static_cast<unsigned char>(c) >= 0x20)
            safe += c;
    }
    return safe;
}

Line sample(std::string name, const Geometry& g, KvSettings settings, Index batch, Index longest)
{
    Line line{std::move(name), {}};
    settings.ranks = 1;
    const Index count =
        static_cast<Index>(std::ceil(std::log2(static_cast<double>(longest) / first_context))) * samples_per_doubling;
    for (Index i = 0; i <= count; ++i) {
        const double tokens = first_context * std::exp2(static_cast<double>(i) / samples_per_doubling);
        const Index whole = std::min(longest, static_cast<Index>(std::llround(tokens)));
        const auto bytes = kv_bytes_if_countable(g, settings, whole, batch);
        if (!bytes) break; // beyond 2^63 - 1: the line ends
        line.points.emplace_back(static_cast<double>(whole), static_cast<double>(*bytes));
    }
    return line;
}

Index whole(double bytes) { return bytes < 0x1p63 ? static_cast<Index>(bytes) : std::numeric_limits<Index>::max(); }

std::vector<Line> lines_of(std::span<const Plan> plans, Index longest)
{
    std::vector<Line> lines;
    for (const Plan& plan : plans)
        lines.push_back(sample(plan.geometry.name, plan.geometry, plan.settings.cache, plan.settings.batch, longest));
    if (plans.size() > 1) return lines;
    const Plan& plan = plans.front();
    const Geometry& g = plan.geometry;
    lines.front().name += " (" + g.kind + ")";
    const auto add = [&](const char* name, const Geometry& other, Eviction eviction) {
        KvSettings settings = plan.settings.cache;
        settings.eviction = eviction;
        lines.push_back(sample(name, other, settings, plan.settings.batch, longest));
    };
    if (g.count(Role::sliding) > 0) add("without eviction", g, Eviction::none);
    if (g.count(Role::chunked) > 0) add("evicting chunks", g, Eviction::windows_and_chunks);
    if (plan.mha_bytes_per_token != plan.bytes_per_token)
        add("the same as MHA", as_mha(g), plan.settings.cache.eviction);
    if (plan.mqa_bytes_per_token != plan.bytes_per_token)
        add("the same as MQA", as_mqa(g), plan.settings.cache.eviction);
    return lines;
}

struct Axes {
    double x0, x1, y0, y1; // log2 of tokens, of bytes
    double x(double tokens) const { return left + (std::log2(tokens) - x0) / (x1 - x0) * (right - left); }
    double y(double bytes) const
    {
        return bottom - (std::log2(std::max(bytes, 1.0)) - y0) / (y1 - y0) * (bottom - top);
    }
};

Axes axes_around(const std::vector<Line>& lines, Index longest)
{
    double least = 1e300, most = 1;
    for (const Line& line : lines)
        for (const auto& [tokens, bytes] : line.points)
            if (bytes > 0) {
                least = std::min(least, bytes);
                most = std::max(most, bytes);
            }
    if (least > most) least = most;
    return {std::log2(static_cast<double>(first_context)), std::log2(static_cast<double>(longest)),
            std::floor(std::log2(least)), std::max(std::ceil(std::log2(most)), std::floor(std::log2(least)) + 1)};
}

std::string tokens_text(double tokens)
{
    return tokens >= 1048576 ? fmt::format("{:.0f}M", tokens / 1048576)
           : tokens >= 1024  ? fmt::format("{:.0f}k", tokens / 1024)
                             : fmt::format("{:.0f}", tokens);
}

std::string grid(const Axes& axes)
{
    std::string svg;
    for (double e = axes.x0; e <= axes.x1 + 1e-9; e += 1) {
        const double x = axes.x(std::exp2(e));
        svg +=
            fmt::format("<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\" class=\"grid\"/>\n", x, top, bottom);
        svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", x, bottom + 20,
                           tokens_text(std::exp2(e)));
    }
    const double step = axes.y1 - axes.y0 > 12 ? 2 : 1;
    for (double e = axes.y0; e <= axes.y1 + 1e-9; e += step) {
        const double y = axes.y(std::exp2(e));
        svg +=
            fmt::format("<line x1=\"{1}\" y1=\"{0:.1f}\" x2=\"{2}\" y2=\"{0:.1f}\" class=\"grid\"/>\n", y, left, right);
        svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left - 10, y + 4,
                           size_text(whole(std::exp2(e))));
    }
    return svg;
}

std::string polyline(const Line& line, const Axes& axes, std::size_t i)
{
    std::string points;
    for (const auto& [tokens, bytes] : line.points)
        points += fmt::format("{:.1f},{:.1f} ", axes.x(tokens), axes.y(bytes));
    return fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2.5\" stroke-dasharray=\"{}\"/>\n", points,
        colours[i % colours.size()], dashes[i % dashes.size()]);
}

std::string legend(const std::vector<Line>& lines)
{
    std::string svg;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const double y = top + 12 + 40 * static_cast<double>(i), x = right + 24;
        svg += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"2.5\" "
                           "stroke-dasharray=\"{}\"/>\n",
                           x, y, x + 34, y, colours[i % colours.size()], dashes[i % dashes.size()]);
        svg += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", x + 42, y + 4, escaped(lines[i].name));
        svg += fmt::format("<text x=\"{}\" y=\"{}\" class=\"small\">{} at {} tokens</text>\n", x + 42, y + 19,
                           size_text(whole(lines[i].points.back().second)), tokens_text(lines[i].points.back().first));
    }
    return svg;
}

std::string room_line(const Plan& plan, const Axes& axes)
{
    if (!plan.fit || plan.fit->room_bytes <= 0) return "";
    const double y = axes.y(static_cast<double>(plan.fit->room_bytes));
    if (y < top || y > bottom) return "";
    return fmt::format(
        "<line x1=\"{0}\" y1=\"{1:.1f}\" x2=\"{2}\" y2=\"{1:.1f}\" stroke=\"#444\" stroke-width=\"1.5\"/>\n"
        "<text x=\"{3}\" y=\"{4:.1f}\" class=\"small\">room beside the weights on {5}: {6}</text>\n",
        left, y, right, left + 6, y - 5, escaped(plan.settings.memory->text), size_text(plan.fit->room_bytes));
}

} // namespace

std::string chart_svg(std::span<const Plan> plans)
{
    Index longest = 131072;
    for (const Plan& plan : plans) longest = std::max(longest, plan.context);
    std::vector<Line> lines = lines_of(plans, longest);
    std::erase_if(lines, [](const Line& line) { return line.points.empty(); });
    const Axes axes = axes_around(lines, longest);
    const Plan& first = plans.front();
    std::string svg =
        fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
                    "font-family=\"DejaVu Sans, Arial, sans-serif\" font-size=\"13\" fill=\"#222\">\n"
                    "<style>.grid{{stroke:#ddd;stroke-width:1}} .small{{font-size:11px;fill:#555}}</style>\n"
                    "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
                    width, height);
    svg += fmt::format("<text x=\"{}\" y=\"32\" font-size=\"17\">KV cache over context: {}, batch {}</text>\n", left,
                       escaped(first.settings.cache.format.name), first.settings.batch);
    svg += grid(axes);
    for (std::size_t i = 0; i < lines.size(); ++i) svg += polyline(lines[i], axes, i);
    if (plans.size() == 1) svg += room_line(first, axes);
    svg += legend(lines);
    svg +=
        fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">context, tokens per sequence (1k = 1024)</text>\n",
                    (left + right) / 2, bottom + 48);
    svg += fmt::format("<text transform=\"translate(20 {}) rotate(-90)\" text-anchor=\"middle\">bytes of the cache, "
                       "calculated</text>\n",
                       (top + bottom) / 2);
    return svg + "</svg>\n";
}

} // namespace headroom
