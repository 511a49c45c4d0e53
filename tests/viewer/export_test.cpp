#include "tests/support/catch.h"
#include "viewer/export/describe.h"
#include "viewer/export/png.h"
#include "viewer/export/svg.h"

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
