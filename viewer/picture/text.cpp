#include "viewer/picture/text.h"

#include <array>

namespace headroom {
namespace {

// Advance widths of U+0020 … U+007E in thousandths of the size, measured from the fonts Inter Regular and Semi Bold 4.0.
constexpr std::array<short, 95> regular{281, 278, 403, 631, 638, 812, 639, 222, 362, 362, 500, 659, 280, 460, 276, 357,
                                        625, 464, 605, 636, 642, 608, 624, 571, 616, 624, 276, 280, 659, 659, 659, 507,
                                        936, 676, 651, 727, 719, 598, 587, 743, 740, 264, 543, 652, 562, 889, 753, 761,
                                        635, 761, 639, 638, 642, 741, 676, 949, 642, 665, 625, 362, 357, 362, 469, 452,
                                        497, 564, 621, 558, 621, 582, 361, 609, 591, 237, 237, 544, 237, 869, 585, 597,
                                        609, 609, 372, 523, 364, 581, 557, 812, 540, 557, 541, 362, 327, 362, 659};
constexpr std::array<short, 95> semi_bold{
    248, 309, 396, 643, 649, 844, 663, 213, 393, 393, 543, 673, 295, 466, 290, 379, 667, 481,  621,
    652, 666, 632, 648, 587, 646, 648, 290, 295, 673, 673, 673, 544, 999, 724, 657, 744, 724,  608,
    586, 755, 744, 275, 561, 677, 566, 906, 741, 775, 643, 776, 651, 649, 660, 734, 724, 1007, 690,
    705, 653, 393, 379, 393, 481, 468, 497, 575, 630, 577, 630, 593, 377, 625, 613, 261, 261,  569,
    261, 898, 610, 608, 625, 625, 397, 549, 380, 608, 576, 837, 562, 576, 562, 393, 358, 393,  673};

int advance(char32_t code, Face face)
{
    if (is_wide(code)) return 1000;
    if (face == Face::mono) return 600;
    if (code >= 0x20 && code < 0x7f) return (face == Face::bold ? semi_bold : regular)[code - 0x20];
    switch (code) {
    case U'·': return 290;
    case U'°': return 458;
    case U'–': return 500;
    case U'…': return 821;
    case U'→':
    case U'←': return 955;
    case U'—': return 1000;
    default: return 673; // × √ Σ ≤ ± …
    }
}

} // namespace

bool is_closing(char32_t code)
{
    return std::u32string_view(U"，。、；：？！）」』”’%").find(code) != std::u32string_view::npos;
}

bool is_wide(char32_t code)
{
    return (code >= 0x2e80 && code <= 0xa4cf) || (code >= 0xac00 && code <= 0xd7a3) ||
           (code >= 0xf900 && code <= 0xfaff) || (code >= 0xfe30 && code <= 0xfe4f) ||
           (code >= 0xff00 && code <= 0xff60) || (code >= 0x20000 && code <= 0x3fffd);
}

char32_t take_code_point(std::string_view& utf8)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(utf8[i]); };
    const unsigned char first = byte(0);
    const std::size_t length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
    char32_t code = length == 1 ? first : first & (0xffu >> (length + 1));
    bool valid = length != 0 && length <= utf8.size();
    for (std::size_t i = 1; valid && i < length; ++i) {
        valid = byte(i) >> 6 == 2;
        code = code << 6 | (byte(i) & 0x3fu);
    }
    utf8.remove_prefix(valid ? length : 1);
    return valid ? code : U'\ufffd';
}

float text_width(std::string_view utf8, Face face, float size)
{
    int thousandths = 0;
    while (!utf8.empty()) thousandths += advance(take_code_point(utf8), face);
    return static_cast<float>(thousandths) * size / 1000;
}

std::vector<std::string> wrap(std::string_view utf8, Face face, float size, float width)
{
    std::vector<std::string> lines(1);
    std::string piece; // what cannot be broken
    const auto place_piece = [&] {
        const bool fits = lines.back().empty() || text_width(lines.back() + piece, face, size) <= width;
        if (!fits) {
            while (!lines.back().empty() && lines.back().back() == ' ') lines.back().pop_back();
            lines.emplace_back();
            if (piece.front() == ' ') piece.erase(0, 1);
        }
        lines.back() += piece;
        piece.clear();
    };
    while (!utf8.empty()) {
        const std::string_view before = utf8;
        const char32_t code = take_code_point(utf8);
        const std::string_view bytes = before.substr(0, before.size() - utf8.size());
        if (code == U'\n') {
            if (!piece.empty()) place_piece();
            lines.emplace_back();
            continue;
        }
        if (!piece.empty() && (code == U' ' || (is_wide(code) && !is_closing(code)))) place_piece();
        piece += bytes;
        if (is_wide(code)) {
            std::string_view rest = utf8;
            if (rest.empty() || !is_closing(take_code_point(rest))) place_piece();
        }
    }
    if (!piece.empty()) place_piece();
    return lines;
}

std::string shorten(std::string_view utf8, Face face, float size, float width)
{
    if (text_width(utf8, face, size) <= width) return std::string(utf8);
    std::string kept;
    while (!utf8.empty()) {
        const std::string_view before = utf8;
        take_code_point(utf8);
        const std::string longer = kept + std::string(before.substr(0, before.size() - utf8.size()));
        if (text_width(longer + "…", face, size) > width) break;
        kept = longer;
    }
    return kept + "…";
}

} // namespace headroom
