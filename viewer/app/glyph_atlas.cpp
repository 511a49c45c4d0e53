#include "viewer/app/glyph_atlas.h"

#include <algorithm>
#include <utility>

namespace headroom {

const GlyphAtlas::Place& GlyphAtlas::place(char32_t code, Face face, float pixels)
{
    const auto [at, is_new] = places_.try_emplace({code, face, pixels});
    if (!is_new) return at->second;
    const Glyph& glyph = fonts_.glyph(code, face, pixels);
    if (glyph.coverage.empty() || glyph.width + 2 > side || glyph.height + 2 > side) return at->second; // a space
    if (x_ + glyph.width + 1 > side) {
        x_ = 1;
        y_ += row_height_ + 1;
        row_height_ = 0;
    }
    if (y_ + glyph.height + 1 > side) { // full: all is forgotten
        overflow_ = true;
        places_.clear();
        std::ranges::fill(alpha_, std::uint8_t{0});
        x_ = y_ = 1;
        row_height_ = 0;
        changed_from_ = 0;
        changed_to_ = side;
        return place(code, face, pixels);
    }
    for (int row = 0; row < glyph.height; ++row)
        std::copy_n(glyph.coverage.begin() + row * glyph.width, glyph.width, alpha_.begin() + (y_ + row) * side + x_);
    constexpr float unit = 1.0f / side;
    const auto f = [](int n) { return static_cast<float>(n); };
    at->second = {.x = f(glyph.x),
                  .y = f(glyph.y),
                  .width = f(glyph.width),
                  .height = f(glyph.height),
                  .u0 = f(x_) * unit,
                  .v0 = f(y_) * unit,
                  .u1 = f(x_ + glyph.width) * unit,
                  .v1 = f(y_ + glyph.height) * unit};
    changed_from_ = changed_to_ > changed_from_ ? std::min(changed_from_, y_) : y_;
    changed_to_ = std::max(changed_to_, y_ + glyph.height);
    x_ += glyph.width + 1;
    row_height_ = std::max(row_height_, glyph.height);
    return at->second;
}

std::pair<int, int> GlyphAtlas::take_changed_rows()
{
    return {std::exchange(changed_from_, 0), std::exchange(changed_to_, 0)};
}
bool GlyphAtlas::take_overflow() { return std::exchange(overflow_, false); }

} // namespace headroom
