#include "tests/support/catch.h"
#include "viewer/picture/picture.h"

using namespace headroom;

TEST_CASE("the centre of each cell of a heat map hits that cell, and hits leave no gap")
{
    for (const bool transposed : {false, true}) {
        Picture picture;
        picture.size = {0, 0, 200, 100};
        const Heatmap map{.first = {.part = Part::k, .lane = 1, .head = 2, .row = 10, .column = 20},
                          .rows = 7,
                          .columns = 13,
                          .transposed = transposed,
                          .position = std::vector<float>(7 * 13)};
        const Rect at{10, 20, 141, 97};
        picture.heatmap(at, map);
        for (int row = 0; row < 7; ++row)
            for (int column = 0; column < 13; ++column) {
                const Cell cell = picture.hit(cell_rect(at, map, row, column).centre());
                CHECK(cell.row == 10 + (transposed ? column : row));
                CHECK(cell.column == 20 + (transposed ? row : column));
            }
        for (float x = at.x0; x < at.x1; x += 0.37f) REQUIRE(picture.hit({x, 50}).part == Part::k);
        CHECK(picture.hit({5, 50}).part == Part::none);
    }
}

TEST_CASE("numbers in texts are facts")
{
    Picture picture;
    picture.words({0, 20}, "live {} of {}", {},
                  {{.what = "live", .number = 512, .unit = Unit::bytes},
                   {.what = "reserved", .number = 2048, .unit = Unit::bytes}});
    CHECK(picture.texts.at(0).words == "live 512 B of 2.00 KiB");
    CHECK(picture.texts.at(0).facts == std::vector<int>{0, 1});
    CHECK_THROWS_AS(picture.words({0, 0}, "{} {}", {}, {{.what = "one", .number = 1}}), std::logic_error);
    picture.words({0, 0}, "{}", {}); // without facts: as it is
    CHECK(picture.texts.back().words == "{}");
}
