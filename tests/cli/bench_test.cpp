// What the benchmark prints, not how fast it is.
#include "tests/support/catch.h"
#include "tests/support/command_line.h"
#include "tests/support/temporary_folder.h"
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

using namespace headroom;
using Json = nlohmann::ordered_json;

namespace {

std::vector<std::string> keys(const Json& object)
{
    std::vector<std::string> names;
    for (const auto& [name, value] : object.items()) names.push_back(name);
    return names;
}

const std::vector<std::string> row_keys{"case",  "impl",  "dtype",    "ms_median",         "ms_min",        "ms_max",
                                        "bytes", "flops", "limit_ms", "fraction_of_limit", "peak_rss_bytes"};

} // namespace

TEST_CASE("bench --json has the schema's keys, and bytes and multiply-adds of the case")
{
    const Ran ran = headroom_program({"bench", "--case", "tiny", "--rounds", "1", "--block-ms", "1", "--json"});
    REQUIRE((ran.exit_code == 0 || ran.exit_code == 1)); // 1: the machine was too busy for a measurement
    const Json json = Json::parse(ran.out);
    CHECK(keys(json) == std::vector<std::string>{"schema", "rows", "machine"});
    CHECK(json["schema"] == "headroom.bench/1");
    REQUIRE(json["rows"].size() == 1);
    const Json& row = json["rows"][0];
    CHECK(keys(row) == row_keys);
    CHECK((row["case"] == "tiny" && row["impl"] == "parallel" && row["dtype"] == "f32"));
    CHECK(row["bytes"] == 2 * 2 * 256 * 64 * 4); // K and V of two heads
    CHECK(row["flops"] == 4 * 4 * 256 * 64);     // two products for four query heads
    CHECK((row["ms_min"] <= row["ms_median"] && row["ms_median"] <= row["ms_max"] && row["ms_min"] > 0));
}

TEST_CASE("bench measures any implementation in any type, and refuses what it cannot measure")
{
    const Ran ran = headroom_program({"bench", "--case", "tiny", "--impl", "online", "--kv-dtype", "bf16", "--rounds",
                                      "1", "--block-ms", "1", "--json"});
    const Json document = Json::parse(ran.out);
    CHECK(document["rows"][0]["bytes"] == 2 * 2 * 256 * 64 * 2);
    CHECK(is_refusal(headroom_program({"bench", "--case", "D9"})));
    CHECK(is_refusal(headroom_program({"bench", "--case", "tiny", "--impl", "no_such"})));
    CHECK(is_refusal(headroom_program({"bench", "--case", "tiny", "--svg", "x.svg"})));
    CHECK(is_refusal(headroom_program({"bench", "--case", "tiny", "--kv-dtype", "f64"})));
}

TEST_CASE("the article's table and the long run, small")
{
    const TemporaryFolder folder;
    const std::string svg = (folder.path() / "long.svg").string();
    const Ran json = headroom_program({"bench", "--case", "article", "long", "--small", "--svg", svg, "--json"});
    REQUIRE((json.exit_code == 0 || json.exit_code == 1));
    std::size_t article = 0, long_run = 0;
    const Json document = Json::parse(json.out);
    for (const Json& row : document["rows"]) {
        CHECK(keys(row) == row_keys);
        const auto name = row["case"].get<std::string>();
        article += name.starts_with("article/"), long_run += name.starts_with("long/");
    }
    CHECK(article == 9);          // five kinds of prefill, four of decode
    CHECK(long_run == 2 * 3 * 3); // cache or not, three kinds of heads, three lengths
    std::ifstream file(svg);
    const std::string picture(std::istreambuf_iterator<char>(file), {});
    CHECK((picture.find("<svg") != std::string::npos && picture.find("tokens") != std::string::npos));

    const Ran text = headroom_program({"bench", "--case", "article", "--small"});
    for (const char* word : {"MHA + cache", "GQA(4) + cache", "whole scores", "tokens/s", "819"})
        CHECK(text.out.find(word) != std::string::npos);
}
