#include "viewer/scenes/chart.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headroom {

float Scale::at(double number) const
{
    double part = 0;
    if (logarithmic)
        part = std::log2(std::max(number, least) / least) / std::log2(most / least);
    else
        part = (number - least) / (most - least);
    return from + (to - from) * static_cast<float>(std::isfinite(part) ? part : 0);
}

std::vector<double> Scale::ticks(int at_most) const
{
    std::vector<double> list;
    const int gaps = std::max(1, at_most - 1);
    if (!logarithmic) {
        for (int i = 0; i <= gaps; ++i) list.push_back(least + (most - least) * i / gaps);
        return list;
    }
    const double doublings = std::log2(most / least);
    const double step = std::max(1.0, std::ceil(doublings / gaps - 1e-9));
    for (double e = 0; e <= doublings + 1e-9; e += step) list.push_back(least * std::exp2(e));
    return list;
}

Look look_of(std::size_t series)
{
    static constexpr std::array looks{Look{Ink::k, 0},       Look{Ink::q, 9},      Look{Ink::v, 4},
                                      Look{Ink::output, 14}, Look{Ink::accent, 3}, Look{Ink::muted, 7}};
    return looks[series % looks.size()];
}

void rules_of_y(Picture& picture, Rect plot, const Scale& y, Unit unit, float em)
{
    const int room = std::clamp(static_cast<int>(plot.height() / (2.2f * em)) + 1, 2, 9);
    for (const double tick : y.ticks(y.logarithmic ? room : std::min(room, 3))) {
        const float at = y.at(tick);
        picture.line({plot.x0, at}, {plot.x1, at}, Ink::rule, 1);
        picture.words({plot.x0 - 0.5f * em, at + 0.3f * em}, "{}",
                      {.ink = Ink::muted, .size = 0.8f * em, .align = Align::right},
                      {{.what = "axis", .number = tick, .unit = unit}});
    }
}

void rules_of_x(Picture& picture, Rect plot, const Scale& x, Unit unit, float em)
{
    const int room = std::clamp(static_cast<int>(plot.width() / (5.5f * em)) + 1, 2, 20);
    for (const double tick : x.ticks(room)) {
        const float at = x.at(tick);
        picture.line({at, plot.y0}, {at, plot.y1}, Ink::rule, 1);
        picture.words({at, plot.y1 + 1.2f * em}, "{}", {.ink = Ink::muted, .size = 0.8f * em, .align = Align::centre},
                      {{.what = "axis", .number = tick, .unit = unit}});
    }
}

// Dashes are cut along the whole curve: pieces shorter than a dash would else look solid.
void curve_through(Picture& picture, std::span<const Point> points, Look look, float width, float opacity)
{
    float walked = 0; // since the last dash began
    for (std::size_t i = 1; i < points.size(); ++i) {
        const Point a = points[i - 1], b = points[i];
        const float length = std::hypot(b.x - a.x, b.y - a.y), period = 1.7f * look.dash;
        const auto piece = [&](float from, float to) {
            const auto point = [&](float along) {
                return Point{a.x + (b.x - a.x) * along / length, a.y + (b.y - a.y) * along / length};
            };
            picture.line(point(from), point(to), look.ink, width).opacity = opacity;
        };
        if (length <= 0) continue;
        if (look.dash <= 0) {
            piece(0, length);
            continue;
        }
        for (float at = 0; at < length;) {
            const bool on = walked < look.dash;
            const float step = std::min(length - at, (on ? look.dash : period) - walked);
            if (on) piece(at, at + step);
            at += step;
            walked += step;
            if (walked >= period - 1e-4f) walked = 0;
            if (step <= 0) break;
        }
    }
}

void legend_line(Picture& picture, Rect at, Look look, std::string_view name, float em, const std::vector<Fact>& number,
                 Ink number_ink)
{
    const float base_line = at.y0 + 0.9f * em, size = 0.85f * em;
    float right = at.x1;
    if (!number.empty())
        right =
            picture.words({at.x1, base_line}, "{}", {.ink = number_ink, .size = size, .align = Align::right}, number)
                .x0 -
            0.6f * em;
    picture.line({at.x0, base_line - 0.3f * em}, {at.x0 + 1.6f * em, base_line - 0.3f * em}, look.ink, 2.5f).dash =
        look.dash;
    picture.words({at.x0 + 2.1f * em, base_line}, shorten(name, Face::sans, size, right - at.x0 - 2.1f * em),
                  {.size = size});
}

} // namespace headroom
