// Every character that was ever painted, at the very size it was painted, in one texture: text is as sharp as in a PNG,
// and no version of ImGui has to know our fonts.
#pragma once
#include "viewer/export/fonts.h"
#include <map>
#include <tuple>

namespace headroom {

class GlyphAtlas {
public:
    struct Place { // in pixels, from the pen on the base line; u, v: in the texture
        float x = 0, y = 0, width = 0, height = 0;
        float u0 = 0, v0 = 0, u1 = 0, v1 = 0;
    };
    const Place& place(char32_t code, Face face, float pixels);

    static constexpr int side = 2048;
    const std::vector<std::uint8_t>& alpha() const { return alpha_; } // [side, side]
    // Rows that changed since the last call; empty: none.
    std::pair<int, int> take_changed_rows();
    bool take_overflow(); // it was full and began anew: what was painted before has to be painted again

private:
    Fonts fonts_;
    std::map<std::tuple<char32_t, Face, float>, Place> places_;
    std::vector<std::uint8_t> alpha_ = std::vector<std::uint8_t>(std::size_t{side} * side);
    int x_ = 1, y_ = 1, row_height_ = 0; // where the next glyph goes
    int changed_from_ = 0, changed_to_ = side;
    bool overflow_ = false;
};

} // namespace headroom
