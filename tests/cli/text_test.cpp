// Words and numbers for people: their units, and the lines that they are broken into.
#include "cli/text.h"
#include "tests/support/catch.h"
#include <sstream>

using namespace headroom;

TEST_CASE("counts have commas, bytes a unit as soon as there are ten thousand of them")
{
    CHECK(count_text(0) == "0");
    CHECK(count_text(999) == "999");
    CHECK(count_text(-1000) == "-1,000");
    CHECK(count_text(1234567) == "1,234,567");
    CHECK(bytes_text(9999) == "9,999 B");
    CHECK(bytes_text(10240) == "10.0 KiB");
    CHECK(bytes_text(3 << 20) == "3.0 MiB");
}

TEST_CASE("columns are padded by characters, and colour takes no room")
{
    CHECK(pad_left("é", 3) == "  é");
    CHECK(pad_right("\033[1mab\033[0m", 4) == "\033[1mab\033[0m  ");
    CHECK(pad_left("too long", 3) == "too long");
}

TEST_CASE("lines break at spaces and at new lines, a long word where the line ends, never within a character")
{
    CHECK(wrapped("", "> ", "  ", 10) == "> \n");
    CHECK(wrapped("one two three", "> ", "  ", 10) == "> one two\n  three\n");
    CHECK(wrapped("one\ntwo", "", "", 10) == "one\ntwo\n");
    CHECK(wrapped("abcdefghijkl", "", "", 5) == "abcde\nfghij\nkl\n");
    CHECK(wrapped("ééééé éé", "", "", 5) == "ééééé\néé\n");
    std::string text;
    for (int i = 0; i < 500; ++i) text += std::string(static_cast<std::size_t>(i * i % 23), 'x') + (i % 9 ? " " : "é");
    std::istringstream lines(wrapped(text, "  - ", "    ", 30));
    for (std::string line; std::getline(lines, line);) CHECK(width_of(line) <= 30);
}

TEST_CASE("what is no text is shown as a dot")
{
    CHECK(printable("a\tb\033[1m\xff\xc3") == "a·b·[1m··");
    CHECK(printable("é\n中") == "é\n中");
}
