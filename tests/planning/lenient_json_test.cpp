#include "reference/planning/lenient_json.h"
#include "tests/support/catch.h"

using namespace headroom;

TEST_CASE("what makers publish besides JSON is read")
{
    CHECK(parse_lenient_json("{\"a\": 1,}")["a"] == 1);
    CHECK(parse_lenient_json("{\"a\": [1, 2, ], }")["a"].size() == 2);
    CHECK(parse_lenient_json("{\"a\": [0.0, Infinity, -Infinity, NaN]}")["a"][1] == "Infinity");
    CHECK(parse_lenient_json("\xEF\xBB\xBF{\"a\": 1}")["a"] == 1);
    CHECK(parse_lenient_json("{\"a\": \"NaN, Infinity,}\"}")["a"] == "NaN, Infinity,}"); // texts stay as they are
    CHECK(parse_lenient_json("{\"a\\\"b,]\": \"\\\\\",}").size() == 1);
}

TEST_CASE("what is not JSON is refused, with the line")
{
    for (const char* text :
         {"", " ", "{", "{\"a\": 1", "{\"a\"}", "{a: 1}", "{\"a\": 1} {\"b\": 2}", "[1, 2", "{\"a\": Infinit}",
          "{\"a\": xNaN}", "{,}", "{\"a\": 01}", "\"abc", "{\"a\": \"\xff\"}", "{\"a\": \"\\"})
        CHECK_THROWS_AS(parse_lenient_json(text), std::invalid_argument);
    CHECK_THROWS_WITH(parse_lenient_json("{\n\"a\": 1,\n\"b\": ?}"), containing("line 3"));
    CHECK_THROWS_WITH(parse_lenient_json("{\"a\": 1"), containing("ends"));
    CHECK_THROWS_AS(parse_lenient_json("{\"a\": 4" + std::string(400, '0') + "}"), std::invalid_argument);
    CHECK_THROWS_WITH(parse_lenient_json("{\"a\": -1e999}"), containing("larger than any double"));
}

TEST_CASE("a key that appears twice, deep nesting and huge files are refused")
{
    CHECK_THROWS_WITH(parse_lenient_json("{\"a\": 1, \"a\": 2}"), containing("twice"));
    CHECK(parse_lenient_json("{\"a\": {\"b\": 1}, \"b\": 2}").size() == 2);
    CHECK_THROWS_WITH(parse_lenient_json(std::string(100000, '[')), containing("nested"));
    CHECK_THROWS_WITH(parse_lenient_json(std::string((std::size_t{16} << 20) + 1, ' ')), containing("16 MiB"));
    CHECK_THROWS_WITH(read_lenient_json("/does/not/exist.json"), containing("cannot read"));
}
