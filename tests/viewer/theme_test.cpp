#include "tests/support/catch.h"
#include "viewer/picture/theme.h"

using namespace headroom;

TEST_CASE("every text can be read on every ground it stands on, in both themes")
{
    for (const std::string_view name : {"light", "dark"})
        for (const Ink text : {Ink::ink, Ink::muted, Ink::faint, Ink::q, Ink::k, Ink::v, Ink::output, Ink::weights,
                               Ink::warning, Ink::accent})
            for (const Ink ground : {Ink::panel, Ink::paper, Ink::sunken}) {
                INFO(name << " text " << static_cast<int>(text) << " on " << static_cast<int>(ground));
                CHECK(contrast(text_colour(theme(name), text), area_colour(theme(name), ground)) >= 4.5f);
            }
}

TEST_CASE("a number can be read on the area of every tensor")
{
    for (const std::string_view name : {"light", "dark"})
        for (const Ink area : {Ink::q, Ink::k, Ink::v, Ink::output}) {
            INFO(name << " on " << static_cast<int>(area));
            CHECK(contrast(text_colour(theme(name), Ink::on_area), area_colour(theme(name), area)) >= 4.5f);
        }
}

TEST_CASE("contrast is that of WCAG: 21 for black on white")
{
    CHECK(contrast({0, 0, 0}, {1, 1, 1}) == Approx(21));
    CHECK(contrast({1, 1, 1}, {1, 1, 1}) == Approx(1));
}

TEST_CASE("an unknown theme is refused by name") { CHECK_THROWS_AS(theme("sepia"), std::invalid_argument); }
