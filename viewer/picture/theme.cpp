#include "viewer/picture/theme.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace headroom {
namespace {

constexpr Theme light{"light", false}, dark{"dark", true};

constexpr Colour rgb(unsigned code)
{
    return {static_cast<float>(code >> 16 & 255) / 255, static_cast<float>(code >> 8 & 255) / 255,
            static_cast<float>(code & 255) / 255};
}

// Of each ink: an area and a text on light paper, an area and a text on dark paper.
struct Inks {
    Ink ink;
    unsigned light_area, light_text, dark_area, dark_text;
};
constexpr std::array inks{Inks{Ink::paper, 0xf4f6f9, 0xf4f6f9, 0x12161b, 0x12161b},
                          Inks{Ink::panel, 0xffffff, 0xffffff, 0x1c2128, 0x1c2128},
                          Inks{Ink::sunken, 0xeef1f5, 0x5b6573, 0x262c35, 0x9aa5b4},
                          Inks{Ink::ink, 0x1d2530, 0x1d2530, 0xe8ecf1, 0xe8ecf1},
                          Inks{Ink::muted, 0x5b6573, 0x566070, 0x9aa5b4, 0xa3aebc},
                          Inks{Ink::faint, 0xa9b3c0, 0x626c7a, 0x566070, 0x98a3b1},
                          Inks{Ink::rule, 0xdde2e9, 0x626c7a, 0x333b46, 0x98a3b1},
                          Inks{Ink::q, 0xe69f00, 0x8a5a00, 0xf0ad22, 0xf0ad22},
                          Inks{Ink::k, 0x4aa8e0, 0x0067a3, 0x56b4e9, 0x6cc0f0},
                          Inks{Ink::v, 0x009e73, 0x00704f, 0x1fb98d, 0x35c79d},
                          Inks{Ink::output, 0xc070a0, 0x9c3f78, 0xd387b3, 0xdd97c0},
                          Inks{Ink::weights, 0x5b6573, 0x566070, 0xb8c2cf, 0xb8c2cf},
                          Inks{Ink::warning, 0xd55e00, 0xb84700, 0xf0803c, 0xf58f50},
                          Inks{Ink::accent, 0x2f5fd0, 0x2a55bb, 0x8db4ff, 0x9bbcff},
                          Inks{Ink::on_area, 0x10161d, 0x10161d, 0x10161d, 0x10161d}};

const Inks& find(Ink ink)
{
    for (const Inks& each : inks)
        if (each.ink == ink) return each;
    throw std::logic_error("an ink without a colour");
}

// Nine even steps of cividis, interpolated.
constexpr std::array<unsigned, 9> cividis{0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173,
                                          0x8a8678, 0xa59c74, 0xc3b369, 0xfee838};

Colour along(const std::array<unsigned, 9>& steps, float position)
{
    const float at = position * 8;
    const auto from = static_cast<std::size_t>(std::fmin(at, 7.0f));
    return mix(rgb(steps[from]), rgb(steps[from + 1]), at - static_cast<float>(from));
}

float luminance(Colour c)
{
    const auto linear = [](float x) { return x <= 0.04045f ? x / 12.92f : std::pow((x + 0.055f) / 1.055f, 2.4f); };
    return 0.2126f * linear(c.r) + 0.7152f * linear(c.g) + 0.0722f * linear(c.b);
}

} // namespace

const Theme& theme(std::string_view name)
{
    if (name == "light") return light;
    if (name == "dark") return dark;
    throw std::invalid_argument("theme '" + std::string(name) + "' is unknown; there are light and dark");
}

Colour area_colour(const Theme& t, Ink ink) { return rgb(t.dark ? find(ink).dark_area : find(ink).light_area); }
Colour text_colour(const Theme& t, Ink ink) { return rgb(t.dark ? find(ink).dark_text : find(ink).light_text); }

Colour ramp_colour(const Theme& t, const Heatmap& map, float position)
{
    if (std::isnan(position)) return area_colour(t, Ink::sunken);
    position = std::fmin(std::fmax(position, 0.0f), 1.0f); // an infinite number has the colour of the largest
    switch (map.ramp) {
    case Ramp::tint: {
        const Colour full = area_colour(t, map.ink), ground = area_colour(t, Ink::panel);
        return mix(mix(ground, full, 0.16f), t.dark ? mix(full, rgb(0xffffff), 0.12f) : mix(full, rgb(0x000000), 0.12f),
                   position);
    }
    case Ramp::magnitude: return along(cividis, position);
    case Ramp::diverging:
        return position < 0.5f ? mix(rgb(0x0067a3), rgb(0xf7f7f7), position * 2)
                               : mix(rgb(0xf7f7f7), rgb(0xc65a00), position * 2 - 1);
    }
    return {};
}

Colour mix(Colour from, Colour to, float part)
{
    return {from.r + (to.r - from.r) * part, from.g + (to.g - from.g) * part, from.b + (to.b - from.b) * part};
}

float contrast(Colour a, Colour b)
{
    const float la = luminance(a), lb = luminance(b);
    return (std::fmax(la, lb) + 0.05f) / (std::fmin(la, lb) + 0.05f);
}

std::string hex(Colour c)
{
    const auto byte = [](float x) { return static_cast<int>(std::lround(x * 255)); };
    return fmt::format("#{:02x}{:02x}{:02x}", byte(c.r), byte(c.g), byte(c.b));
}

} // namespace headroom
