#include "tests/support/catch.h"
#include "viewer/picture/theme.h"
#include "viewer/scenes/heat.h"
#include "viewer/scenes/kernel_page.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

using namespace headroom;

TEST_CASE("every text can be read on every ground it stands on, in both themes")
{
    for (const std::string_view name : {"light", "dark"})
        for (const Ink text : {Ink::ink, Ink::muted, Ink::faint, Ink::q, Ink::k, Ink::v, Ink::output, Ink::weights,
                               Ink::warning, Ink::accent})
            for (const Ink ground : {Ink::panel, Ink::paper, Ink::sunken}) {
                INFO(name << " text " << static_cast<int>(text) << " on " << static_cast<int>(ground));
                CHECK(contrast(text_colour(theme(name), text), area_colour(theme(name), ground)) >= 4.5f);
            }
}

TEST_CASE("an infinite number has the colour of the largest, and NaN that of an empty cell, on every ramp")
{
    const float infinite = std::numeric_limits<float>::infinity();
    for (const std::string_view name : {"light", "dark"})
        for (const Ramp ramp : {Ramp::tint, Ramp::magnitude, Ramp::diverging}) {
            const Theme& look = theme(name);
            const Heatmap map{.first = {}, .ramp = ramp, .ink = Ink::q, .position = {}};
            CHECK(hex(ramp_colour(look, map, infinite)) == hex(ramp_colour(look, map, 1)));
            CHECK(hex(ramp_colour(look, map, -infinite)) == hex(ramp_colour(look, map, 0)));
            CHECK(hex(ramp_colour(look, map, std::nanf(""))) == hex(area_colour(look, Ink::sunken)));
        }
}

TEST_CASE("of a row of numbers NaN is an empty cell, and beside a number the number counts")
{
    const std::vector<double> row{-2, std::nan(""), 0, 4};
    const std::vector<float> each = heat_row(row, {0, 0, 400, 10}, 4).position;
    REQUIRE(each.size() == 4);
    CHECK(each[0] == 0.5f);
    CHECK(std::isnan(each[1]));
    CHECK(each[2] == 0);
    const std::vector<float> pairs = heat_row(row, {0, 0, 8, 10}, 4).position; // two numbers to a drawn cell
    REQUIRE(pairs.size() == 2);
    CHECK(pairs[0] == 0.5f);
    CHECK(pairs[1] == 1);
}

TEST_CASE("a number can be read on the area of every tensor")
{
    for (const std::string_view name : {"light", "dark"})
        for (const Ink area : {Ink::q, Ink::k, Ink::v, Ink::output}) {
            INFO(name << " on " << static_cast<int>(area));
            CHECK(contrast(text_colour(theme(name), Ink::on_area), area_colour(theme(name), area)) >= 4.5f);
        }
}

namespace {

// What a reader without one kind of cone sees: Machado, Oliveira and Fernandes 2009, severity 1, in linear light.
Colour as_seen(Colour c, bool protan)
{
    static constexpr float deutan_rows[3][3] = {
        {0.367322f, 0.860646f, -0.227968f}, {0.280085f, 0.672501f, 0.047413f}, {-0.011820f, 0.042940f, 0.968881f}};
    static constexpr float protan_rows[3][3] = {
        {0.152286f, 1.052583f, -0.204868f}, {0.114503f, 0.786281f, 0.099216f}, {-0.003882f, -0.048116f, 1.051998f}};
    const auto linear = [](float x) { return x <= 0.04045f ? x / 12.92f : std::pow((x + 0.055f) / 1.055f, 2.4f); };
    const auto& rows = protan ? protan_rows : deutan_rows;
    float seen[3];
    for (int i = 0; i < 3; ++i)
        seen[i] =
            std::clamp(rows[i][0] * linear(c.r) + rows[i][1] * linear(c.g) + rows[i][2] * linear(c.b), 0.0f, 1.0f);
    return {seen[0], seen[1], seen[2]};
}

// Distance in CIE L*a*b* (1976), of colours in linear light.
float distance(Colour a, Colour b)
{
    const auto lab = [](Colour c) {
        const auto f = [](float t) { return t > 0.008856f ? std::cbrt(t) : 7.787f * t + 16.0f / 116; };
        const float x = f((0.4124f * c.r + 0.3576f * c.g + 0.1805f * c.b) / 0.9505f),
                    y = f(0.2126f * c.r + 0.7152f * c.g + 0.0722f * c.b),
                    z = f((0.0193f * c.r + 0.1192f * c.g + 0.9505f * c.b) / 1.089f);
        return Colour{116 * y - 16, 500 * (x - y), 200 * (y - z)};
    };
    const Colour p = lab(a), q = lab(b);
    return std::hypot(p.r - q.r, p.g - q.g, p.b - q.b);
}

} // namespace

TEST_CASE("deutan and protan readers tell the tensors apart, and a warning from each of them")
{
    constexpr std::array inks{Ink::q, Ink::k, Ink::v, Ink::output, Ink::warning};
    for (const std::string_view name : {"light", "dark"})
        for (const bool protan : {false, true})
            for (const Ink a : inks)
                for (const Ink b : inks) {
                    if (a >= b) continue;
                    INFO(name << (protan ? " protan " : " deutan ") << static_cast<int>(a) << " and "
                              << static_cast<int>(b));
                    CHECK(distance(as_seen(area_colour(theme(name), a), protan),
                                   as_seen(area_colour(theme(name), b), protan)) >= 12);
                }
}

TEST_CASE("blocks that lie side by side in Kernel look different to deutan and protan readers")
{
    for (const std::string_view name : {"light", "dark"})
        for (const bool protan : {false, true})
            for (std::int32_t block = 0; block < 4; ++block) {
                const Theme& t = theme(name);
                const auto seen = [&](std::int32_t n) { // as its cells are painted
                    return as_seen(mix(area_colour(t, Ink::panel), area_colour(t, ink_of_block(n)), 0.58f), protan);
                };
                INFO(name << (protan ? " protan, block " : " deutan, block ") << block);
                CHECK(distance(seen(block), seen(block + 1)) >= 10);
            }
}

TEST_CASE("contrast is that of WCAG: 21 for black on white")
{
    CHECK(contrast({0, 0, 0}, {1, 1, 1}) == Approx(21));
    CHECK(contrast({1, 1, 1}, {1, 1, 1}) == Approx(1));
}

TEST_CASE("an unknown theme is refused by name") { CHECK_THROWS_AS(theme("sepia"), std::invalid_argument); }
