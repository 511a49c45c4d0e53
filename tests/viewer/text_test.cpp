#include "tests/support/catch.h"
#include "viewer/picture/text.h"

using namespace headroom;

TEST_CASE("the width of words is the sum of their letters' advances")
{
    CHECK(text_width("", Face::sans, 10) == 0);
    CHECK(text_width("AV", Face::sans, 1000) == 676 + 676);
    CHECK(text_width("AV", Face::mono, 1000) == 1200);
    CHECK(text_width("缓存", Face::sans, 10) == 20);
}

TEST_CASE("broken UTF-8 becomes U+FFFD and is never read beyond its end")
{
    std::string_view cut = "\xe7\xbc";
    CHECK(take_code_point(cut) == U'\ufffd');
    CHECK(take_code_point(cut) == U'\ufffd');
    CHECK(cut.empty());
}

TEST_CASE("lines break at spaces, between Chinese characters, and never before their punctuation")
{
    CHECK(wrap("aaaa bbbb cccc", Face::mono, 10, 60) == std::vector<std::string>{"aaaa bbbb", "cccc"});
    CHECK(wrap("键值缓存，增长", Face::sans, 10, 45) == std::vector<std::string>{"键值缓", "存，增长"});
    CHECK(wrap("one\ntwo", Face::sans, 10, 500) == std::vector<std::string>{"one", "two"});
    for (const std::string& line :
         wrap("a cache stores keys and values of all tokens seen so far", Face::sans, 15, 120))
        CHECK(text_width(line, Face::sans, 15) <= 120);
}

TEST_CASE("what does not fit is shortened with an ellipsis")
{
    CHECK(shorten("short", Face::mono, 10, 100) == "short");
    CHECK(shorten("much too long", Face::mono, 10, 42) == "much t…");
}
