// Colours: light and dark. Chosen so that all text has a contrast of at least 4.5 : 1 and that deutan and protan readers
// can tell the tensors apart (after Okabe and Ito 2008); magnitude is cividis (Nuñez, Anderton, Renslow 2018).
#pragma once
#include "viewer/picture/picture.h"
#include <string_view>

namespace headroom {

struct Colour {
    float r = 0, g = 0, b = 0; // 0 … 1, sRGB
};

struct Theme {
    std::string_view name;
    bool dark;
};
const Theme& theme(std::string_view name); // "light", "dark"; throws std::invalid_argument

Colour area_colour(const Theme& theme, Ink ink); // of fills and strokes
Colour text_colour(const Theme& theme, Ink ink); // of words on a panel
Colour ramp_colour(const Theme& theme, const Heatmap& map, float position);
Colour mix(Colour from, Colour to, float part);
float contrast(Colour a, Colour b); // WCAG 2.1 contrast ratio, 1 … 21
std::string hex(Colour colour);     // "#56b4e9"

} // namespace headroom
