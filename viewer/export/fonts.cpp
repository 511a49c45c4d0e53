#include "viewer/export/fonts.h"

#include "reference/tensor/files.h"
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#if __has_include(<stb/stb_truetype.h>)
#include <stb/stb_truetype.h>
#else
#include <stb_truetype.h>
#endif
#pragma GCC diagnostic pop

#ifdef __EMSCRIPTEN__
extern "C" void browser_glyph(int code, bool bold, float pixels, int ascent, int side, std::uint8_t* coverage);
#endif

namespace headroom {
namespace {

// In order of preference: the first file that exists is taken. The number is the font's index in a collection.
struct Place {
    const char* path;
    int index = 0;
};
constexpr std::array sans_places{Place{"/usr/share/fonts/opentype/inter/Inter-Regular.otf"},
                                 Place{"/usr/share/fonts/truetype/inter/Inter-Regular.ttf"},
                                 Place{"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"},
                                 Place{"/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf"},
                                 Place{"/System/Library/Fonts/Helvetica.ttc"}};
constexpr std::array bold_places{Place{"/usr/share/fonts/opentype/inter/Inter-SemiBold.otf"},
                                 Place{"/usr/share/fonts/truetype/inter/Inter-SemiBold.ttf"},
                                 Place{"/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"},
                                 Place{"/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf"},
                                 Place{"/System/Library/Fonts/Helvetica.ttc", 1}};
constexpr std::array mono_places{Place{"/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf"},
                                 Place{"/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"},
                                 Place{"/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf"},
                                 Place{"/System/Library/Fonts/Menlo.ttc"}};
constexpr std::array wide_places{Place{"/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", 2},
                                 Place{"/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"},
                                 Place{"/System/Library/Fonts/PingFang.ttc"}};

struct Font {
    std::vector<std::byte> file;
    stbtt_fontinfo info{};
};

template <class Places> std::unique_ptr<Font> open(const Places& places)
{
    for (const Place& place : places) {
        std::error_code error;
        if (!std::filesystem::exists(place.path, error)) continue;
        auto font = std::make_unique<Font>();
        font->file = read_file(place.path);
        const auto* bytes = reinterpret_cast<const unsigned char*>(font->file.data());
        if (stbtt_InitFont(&font->info, bytes, stbtt_GetFontOffsetForIndex(bytes, place.index))) return font;
    }
    return nullptr;
}

} // namespace

struct Fonts::Files {
    std::unique_ptr<Font> sans = open(sans_places), bold = open(bold_places), mono = open(mono_places),
                          wide = open(wide_places);
    std::map<std::tuple<char32_t, Face, float>, Glyph> glyphs;

    const Font& font_of(char32_t code, Face face) const
    {
        const Font* chosen = face == Face::bold && bold   ? bold.get()
                             : face == Face::mono && mono ? mono.get()
                                                          : sans.get();
        const bool missing = is_wide(code) || stbtt_FindGlyphIndex(&chosen->info, static_cast<int>(code)) == 0;
        if (missing && wide && stbtt_FindGlyphIndex(&wide->info, static_cast<int>(code))) return *wide;
        if (missing && stbtt_FindGlyphIndex(&sans->info, static_cast<int>(code))) return *sans;
        return *chosen;
    }
};

Fonts::Fonts() : files_(std::make_unique<Files>())
{
    if (!files_->sans)
        throw std::invalid_argument(
            "no font for pictures found: install fonts-inter and fonts-jetbrains-mono (SVG needs none)");
}
Fonts::~Fonts() = default;

const Glyph& Fonts::glyph(char32_t code, Face face, float pixels)
{
    const auto [at, is_new] = files_->glyphs.try_emplace({code, face, pixels});
    Glyph& glyph = at->second;
    if (!is_new) return glyph;
    const Font& font = files_->font_of(code, face);
    const bool is_missing = stbtt_FindGlyphIndex(&font.info, static_cast<int>(code)) == 0;
#ifdef __EMSCRIPTEN__ // a browser has more fonts than a page
    if (is_missing) {
        const int side = static_cast<int>(std::ceil(1.4f * pixels)), ascent = static_cast<int>(std::ceil(pixels));
        glyph = {.x = 0, .y = -ascent, .width = side, .height = side, .coverage = {}};
        glyph.coverage.resize(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
        browser_glyph(static_cast<int>(code), face == Face::bold, pixels, ascent, side, glyph.coverage.data());
        return glyph;
    }
#endif
    // What no font has becomes the font's sign for that, which may be larger than a letter: it must stay in the letter's box.
    const float scale = stbtt_ScaleForMappingEmToPixels(&font.info, is_missing ? pixels / 2 : pixels);
    unsigned char* coverage = stbtt_GetCodepointBitmap(&font.info, scale, scale, static_cast<int>(code), &glyph.width,
                                                       &glyph.height, &glyph.x, &glyph.y);
    if (coverage) glyph.coverage.assign(coverage, coverage + glyph.width * glyph.height);
    stbtt_FreeBitmap(coverage, nullptr);
    return glyph;
}

} // namespace headroom
