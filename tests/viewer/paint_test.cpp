// Pictures on ImGui's draw list, with its own context and no renderer.
#include "tests/support/catch.h"
#include "viewer/app/imgui_paint.h"
#include "viewer/picture/picture.h"
#include <algorithm>
#include <cmath>

using namespace headroom;

namespace {

struct Frame { // a context for one frame, 800 x 600
    Frame()
    {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = {800, 600};
        io.DeltaTime = 1.0f / 60;
        do_without_renderer(io);
        ImGui::NewFrame();
    }
    ~Frame() { ImGui::DestroyContext(); }
    const ImDrawData& paint(const Picture& picture, GlyphAtlas& glyphs)
    {
        headroom::paint(*ImGui::GetBackgroundDrawList(), picture, theme("light"), glyphs, texture_id(7), 1);
        ImGui::Render();
        return *ImGui::GetDrawData();
    }
};

Rect box_of(const ImDrawData& data, ImU32 colour)
{
    Rect box{1e9f, 1e9f, -1e9f, -1e9f};
    for (int n = 0; n < data.CmdListsCount; ++n)
        for (const ImDrawVert& v : data.CmdLists[n]->VtxBuffer)
            if (v.col == colour)
                box = {std::min(box.x0, v.pos.x), std::min(box.y0, v.pos.y), std::max(box.x1, v.pos.x),
                       std::max(box.y1, v.pos.y)};
    return box;
}

} // namespace

TEST_CASE("a rectangle is painted where it is, in its theme's colour")
{
    Picture picture;
    picture.fill({10, 20, 30, 40}, Ink::q);
    GlyphAtlas glyphs;
    Frame frame;
    const ImDrawData& data = frame.paint(picture, glyphs);
    CHECK(box_of(data, packed(area_colour(theme("light"), Ink::q))) == Rect{10, 20, 30, 40});
}

TEST_CASE("a rectangle thinner than a pixel covers a whole one in part, wherever it lies")
{
    for (const float x : {10.0f, 10.2f, 10.4f, 10.8f}) {
        Picture picture;
        picture.fill({x, 20, x + 0.4f, 40}, Ink::q);
        GlyphAtlas glyphs;
        Frame frame;
        const Rect box = box_of(frame.paint(picture, glyphs), packed(area_colour(theme("light"), Ink::q), 0.4f));
        CHECK(box == Rect{std::floor(x + 0.2f), 20, std::floor(x + 0.2f) + 1, 40});
    }
}

TEST_CASE("words stay in the box that the layout gave them, each letter once in the texture")
{
    Picture picture;
    const Rect box = picture.words({100, 100}, "Hamburg 缓存 Hamburg", {.size = 20});
    GlyphAtlas glyphs;
    Frame frame;
    const Rect painted = box_of(frame.paint(picture, glyphs), packed(text_colour(theme("light"), Ink::ink)));
    CHECK(box.inset(-3).contains(painted));
    CHECK(painted.width() > 0.9f * box.width());
    const auto changed = glyphs.take_changed_rows();
    CHECK(changed.second > changed.first);
    CHECK(glyphs.take_changed_rows().second == 0);
    CHECK_FALSE(glyphs.take_overflow());
}

TEST_CASE("all gaps between the cells of a map are as wide in the window, too")
{
    Picture picture;
    picture.heatmap({3.3f, 2, 110.9f, 18},
                    {.first = {}, .rows = 1, .columns = 13, .position = std::vector<float>(13, 1.0f)});
    GlyphAtlas glyphs;
    Frame frame;
    const ImDrawData& data = frame.paint(picture, glyphs);
    const ImU32 colour = packed(ramp_colour(theme("light"), picture.heatmaps.front(), 1));
    std::vector<float> edges; // left and right of each cell
    for (int n = 0; n < data.CmdListsCount; ++n)
        for (const ImDrawVert& v : data.CmdLists[n]->VtxBuffer)
            if (v.col == colour && std::ranges::find(edges, v.pos.x) == edges.end()) edges.push_back(v.pos.x);
    std::ranges::sort(edges);
    REQUIRE(edges.size() == 26);
    for (std::size_t i = 1; i + 1 < edges.size(); i += 2) CHECK(edges[i + 1] - edges[i] == 1);
}

TEST_CASE("a hundred thousand cells are painted, though an index has 16 bits")
{
    Picture picture;
    Heatmap map{.first = {}, .rows = 200, .columns = 500, .position = std::vector<float>(100'000, 0.5f)};
    map.position.front() = std::nanf("");
    for (std::size_t i = 1; i < map.position.size(); i += 2) map.position[i] = 1;
    picture.heatmap({0, 0, 800, 600}, map);
    GlyphAtlas glyphs;
    Frame frame;
    const ImDrawData& data = frame.paint(picture, glyphs);
    CHECK(data.TotalVtxCount >= 4 * 90'000);
    const Heatmap& drawn = picture.heatmaps.front();
    CHECK(box_of(data, packed(ramp_colour(theme("light"), drawn, 1))).x1 == Approx(800));
    CHECK(box_of(data, packed(ramp_colour(theme("light"), drawn, std::nanf("")))).x0 == 0);
}

TEST_CASE("a full texture begins anew and says so")
{
    GlyphAtlas glyphs;
    bool overflowed = false;
    for (float size = 100; size < 200 && !overflowed; size += 1)
        for (char32_t letter = U'A'; letter <= U'Z'; ++letter) {
            const GlyphAtlas::Place& place = glyphs.place(letter, Face::sans, size);
            REQUIRE(place.u1 <= 1);
            REQUIRE(place.v1 <= 1);
            overflowed = overflowed || glyphs.take_overflow();
        }
    CHECK(overflowed);
}
