// What the benchmark prints, not how fast it is.
#include "tests/support/catch.h"
#include "tests/support/command_line.h"
#include "tests/support/temporary_folder.h"
#include <algorithm>
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

const std::vector<std::string> row_keys{"case",
                                        "impl",
                                        "dtype",
                                        "ms_median",
                                        "ms_min",
                                        "ms_max",
                                        "bytes",
                                        "flops",
                                        "limit_ms",
                                        "fraction_of_limit",
                                        "peak_rss_bytes", // these are the schema's
                                        "tokens",
                                        "bytes_per_token",
                                        "instructions_per_token"};

// Exit code 1 and a line on stderr for each row that is faster than the machine; and nothing else there.
void expect_exit_code_that_fits(const Ran& ran, const Json& document)
{
    std::ptrdiff_t impossible = 0;
    for (const Json& row : document["rows"]) impossible += !(row["fraction_of_limit"].get<double>() <= 1.05);
    CHECK(ran.exit_code == (impossible > 0 ? 1 : 0));
    CHECK(std::ranges::count(ran.err, '\n') == impossible);
}

} // namespace

TEST_CASE("bench --json has the schema's keys, and bytes and multiply-adds of the case")
{
    const Ran ran = headroom_program({"bench", "--case", "trial", "--rounds", "1", "--block-ms", "1", "--json"});
    const Json json = Json::parse(ran.out);
    expect_exit_code_that_fits(ran, json); // 1: the machine was too busy for a measurement
    CHECK(keys(json) == std::vector<std::string>{"schema", "rows", "machine"});
    CHECK(json["schema"] == "headroom.bench/1");
    REQUIRE(json["rows"].size() == 1);
    const Json& row = json["rows"][0];
    CHECK(keys(row) == row_keys);
    CHECK((row["case"] == "trial" && row["impl"] == "parallel" && row["dtype"] == "f32"));
    CHECK(row["bytes"] == 2 * 2 * 4096 * 64 * 4); // K and V of two heads
    CHECK(row["flops"] == 4 * 8 * 4096 * 64);     // two products for eight query heads
    CHECK((row["tokens"] == 1 && row["bytes_per_token"] == row["bytes"]));
    const bool counted = json["machine"]["why_no_instructions"].is_null();
    CHECK(row["instructions_per_token"].is_null() != counted);
    if (counted) CHECK(row["instructions_per_token"] > 1000);
    CHECK((row["ms_min"] <= row["ms_median"] && row["ms_median"] <= row["ms_max"] && row["ms_min"] > 0));
}

TEST_CASE("bench measures any implementation in any type, and refuses what it cannot measure")
{
    const Ran ran = headroom_program({"bench", "--case", "trial", "--impl", "online", "--kv-dtype", "bf16", "--rounds",
                                      "1", "--block-ms", "1", "--json"});
    const Json document = Json::parse(ran.out);
    CHECK(document["rows"][0]["bytes"] == 2 * 2 * 4096 * 64 * 2);
    CHECK(is_refusal(headroom_program({"bench", "--case", "D9"})));
    CHECK(is_refusal(headroom_program({"bench", "--case", "trial", "--impl", "no_such"})));
    CHECK(is_refusal(headroom_program({"bench", "--case", "trial", "--svg", "x.svg"})));
    CHECK(is_refusal(headroom_program({"bench", "--case", "long", "--small", "--svg", "/proc/x.svg"})));
    CHECK(is_refusal(headroom_program({"bench", "--case", "trial", "--kv-dtype", "f64"})));
}

TEST_CASE("the article's table and the long run, small")
{
    const TemporaryFolder folder;
    const std::string svg = (folder.path() / "long.svg").string();
    const Ran json = headroom_program({"bench", "--case", "article", "long", "--small", "--svg", svg, "--json"});
    std::size_t article = 0, long_run = 0;
    const Json document = Json::parse(json.out);
    expect_exit_code_that_fits(json, document);
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

TEST_CASE("growth, sharing and the tiny shapes, small")
{
    const Ran ran = headroom_program(
        {"bench", "--case", "growth", "sharing", "tiny", "--small", "--rounds", "1", "--block-ms", "0", "--json"});
    const Json document = Json::parse(ran.out);
    expect_exit_code_that_fits(ran, document);
    std::size_t growth = 0, sharing = 0, tiny = 0;
    for (const Json& row : document["rows"]) {
        CHECK(keys(row) == row_keys);
        const auto name = row["case"].get<std::string>();
        growth += name.starts_with("growth/"), sharing += name.starts_with("sharing/"),
            tiny += name.starts_with("tiny/");
    }
    CHECK(growth == 3 * 3);             // keys, query heads, tokens of a prefill
    CHECK(sharing == 2 * 3);            // two types, three numbers of KV heads
    CHECK((tiny > 0 && tiny % 3 == 0)); // the reference, the fast path, the fast path with one thread

    const Ran text = headroom_program(
        {"bench", "--case", "growth", "sharing", "tiny", "--small", "--rounds", "1", "--block-ms", "0"});
    for (const char* word : {"R²", "tiles (counted)", "of ideal", "MQA", "reference / parallel"})
        CHECK(text.out.find(word) != std::string::npos);
}

TEST_CASE("a line of progress where stderr is a terminal, and only there")
{
    const std::vector<std::string> trial{"bench", "--case", "trial", "--rounds", "1", "--block-ms", "1"};
    CHECK(headroom_program(trial).err.find("trial f32") == std::string::npos);
    const Ran seen = headroom_program_with_terminal(trial);
    CHECK(seen.err.find("\r\033[Ktrial f32") != std::string::npos);
    CHECK(seen.err.find("\r\033[K", seen.err.find("trial f32")) != std::string::npos); // wiped away at the end
    CHECK(seen.out.find("of limit") != std::string::npos);
    CHECK(seen.out.find("\033[K") == std::string::npos);
}
