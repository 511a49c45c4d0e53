#include "tests/support/catch.h"
#include "viewer/export/describe.h"
#include "viewer/export/png.h"
#include "viewer/export/svg.h"
#include <algorithm>

using namespace headroom;

namespace {

Picture sample()
{
    Picture picture;
    picture.size = {0, 0, 80, 40};
    picture.fill({10, 10, 30, 30}, Ink::q);
    picture.frame({40, 10, 60, 30}, Ink::k, 2);
    picture.words({62, 35}, "{} < 2", {.size = 8}, {{.what = "one & only", .number = 1, .unit = Unit::count}});
    return picture;
}

Colour pixel(const Image& image, int x, int y)
{
    const std::uint8_t* at = &image.rgb[static_cast<std::size_t>((y * image.width + x) * 3)];
    return {static_cast<float>(at[0]) / 255, static_cast<float>(at[1]) / 255, static_cast<float>(at[2]) / 255};
}

} // namespace

TEST_CASE("the rasteriser paints fills, frames and nothing beside them")
{
    const Theme& t = theme("light");
    const Image image = rasterise(sample(), t);
    CHECK(hex(pixel(image, 20, 20)) == hex(area_colour(t, Ink::q)));
    CHECK(hex(pixel(image, 9, 20)) == hex(area_colour(t, Ink::paper)));
    CHECK(hex(pixel(image, 40, 20)) == hex(area_colour(t, Ink::k)));
    CHECK(hex(pixel(image, 50, 20)) == hex(area_colour(t, Ink::paper)));
    const Image twice = rasterise(sample(), t, 2);
    CHECK(twice.width == 160);
    CHECK(hex(pixel(twice, 59, 59)) == hex(area_colour(t, Ink::q)));
}

TEST_CASE("SVG escapes words and states their width")
{
    const std::string text = svg(sample(), theme("dark"));
    CHECK(text.find("1 &lt; 2</text>") != std::string::npos);
    CHECK(text.find("textLength=") != std::string::npos);
    CHECK(text.find("nan") == std::string::npos);
}

TEST_CASE("all gaps between the cells of a map are as wide, wherever its edges fall")
{
    const Theme& t = theme("light");
    for (const float zoom : {1.0f, 1.25f, 2.0f}) {
        Picture picture;
        picture.size = {0, 0, 120, 20};
        picture.heatmap({3.3f, 2, 110.9f, 18},
                        {.first = {}, .rows = 1, .columns = 13, .position = std::vector<float>(13, 1.0f)});
        const Image image = rasterise(picture, t, zoom);
        const auto is_paper = [&](int x) {
            return hex(pixel(image, x, image.height / 2)) == hex(area_colour(t, Ink::paper));
        };
        std::vector<int> gaps; // of paper between cells
        int wide = 0, cells = 0;
        for (int x = 1; x < image.width; ++x) {
            if (!is_paper(x) && is_paper(x - 1)) {
                if (cells++ > 0) gaps.push_back(wide);
                wide = 0;
            }
            wide += is_paper(x);
        }
        INFO(zoom);
        CHECK(cells == 13);
        CHECK(std::ranges::count(gaps, gaps.at(0)) == 12);
    }
}

TEST_CASE("cells of one colour are one path in SVG where no gap parts them")
{
    const auto paths = [](float gap) {
        Picture picture;
        picture.size = {0, 0, 70, 40};
        picture.heatmap(
            {0, 0, 60, 20},
            {.first = {}, .rows = 2, .columns = 6, .position = {0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1}, .gap = gap});
        const std::string text = svg(picture, theme("light"));
        std::vector<std::string> widths;
        for (std::size_t at = text.find("<path d=\"M", text.find("<g ")); at != std::string::npos;
             at = text.find("<path d=\"M", at + 1)) {
            const std::size_t h = text.find('h', text.find("d=", at));
            widths.push_back(text.substr(h + 1, text.find('v', h) - h - 1));
        }
        return widths;
    };
    CHECK(paths(0) == std::vector<std::string>{"20", "30", "10", "60"});
    CHECK(paths(1) == std::vector<std::string>(12, "9"));
}

TEST_CASE("a description lists each fact once, with its origin")
{
    Picture picture = sample();
    picture.words({0, 0}, "{}", {}, {{.what = "one & only", .number = 1, .unit = Unit::count}});
    CHECK(describe(picture) == "\none & only = 1 (1, computed)\n");
}

TEST_CASE("base64 pads as RFC 4648 says")
{
    const auto code = [](std::string_view words) { return base64(std::as_bytes(std::span(words))); };
    CHECK(code("") == "");
    CHECK(code("f") == "Zg==");
    CHECK(code("fo") == "Zm8=");
    CHECK(code("foobar") == "Zm9vYmFy");
}
